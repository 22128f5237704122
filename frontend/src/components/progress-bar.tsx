import styles from './progress-bar.module.css'

interface ProgressBarProps {
  label: string
  /** From 0 to 1; null while the whole is not known. */
  share: number | null
}

export function ProgressBar({ label, share }: ProgressBarProps) {
  const percent = share === null ? undefined : Math.round(share * 100)
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={percent}
      className={styles.track}
      data-unknown={share === null || undefined}
    >
      <div className={styles.fill} style={{ transform: `scaleX(${share ?? 0.35})` }} />
    </div>
  )
}
