import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import type { MemoryUsed } from '@/api/types'
import styles from './trail.module.css'

interface MemoryToldProps {
  items: readonly MemoryUsed[]
}

/** What an answer was reminded of, and why. */
export function MemoryTold({ items }: MemoryToldProps) {
  const { t } = useTranslation()
  return (
    <>
      <p>
        {t('trail.memory', { count: items.length })} <Link to="/memory">{t('memory.see')}</Link>
      </p>
      <ul>
        {items.map((item) => (
          <li key={item.id} className={styles.detail}>
            {item.content}{' '}
            <em>
              {item.reason === 'always'
                ? t('trail.memoryAlways')
                : t('trail.memoryMatched', { words: item.matched.join(', ') })}
            </em>
          </li>
        ))}
      </ul>
    </>
  )
}
