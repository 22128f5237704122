import { Link } from '@tanstack/react-router'
import styles from './shell.module.css'

export function Wordmark() {
  return (
    <Link to="/library" className={styles.wordmark}>
      <svg viewBox="0 0 32 32" width="24" height="24" aria-hidden="true">
        <path
          d="M16 8.500C13 6.300 8.800 5.700 4.500 6v18.500c4.300-.3 8.500.3 11.500 2.500 3-2.200 7.200-2.800 11.500-2.500V6C23.200 5.700 19 6.300 16 8.500Z"
          fill="none"
          stroke="currentColor"
          strokeWidth="2.100"
          strokeLinejoin="round"
        />
        <path d="M16 8.500V27" stroke="currentColor" strokeWidth="2.100" />
        <rect x="19.200" y="12" width="5.200" height="3.200" rx=".8" fill="var(--mark-line)" />
      </svg>
      <span>DocMind</span>
    </Link>
  )
}
