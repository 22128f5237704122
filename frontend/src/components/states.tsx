import { CircleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { Problem } from '@/lib/problems'
import { Button } from './button'
import styles from './states.module.css'

interface WaitingProps {
  label?: string
}

export function Waiting({ label }: WaitingProps) {
  const { t } = useTranslation()
  return (
    <div className={styles.waiting} role="status">
      <span className={styles.pulse} aria-hidden="true" />
      <span>{label ?? t('state.waiting')}</span>
    </div>
  )
}

interface EmptyProps {
  icon?: ReactNode
  title: string
  children?: ReactNode
}

export function Empty({ icon, title, children }: EmptyProps) {
  return (
    <div className={styles.empty}>
      {icon && <div className={styles.emblem}>{icon}</div>}
      <h2>{title}</h2>
      {children}
    </div>
  )
}

interface ProblemNoteProps {
  problem: Problem
  onRetry?: (() => void) | undefined
  children?: ReactNode
}

/** What happened and what to do, from the error's code; the server's own words where the page has none. */
export function ProblemNote({ problem, onRetry, children }: ProblemNoteProps) {
  const { t, i18n } = useTranslation()
  const known = i18n.exists(`problem.${problem.code}.title`)
  const title = known ? t(`problem.${problem.code}.title` as 'problem.internal.title') : problem.message || problem.code
  const advice = known ? t(`problem.${problem.code}.advice` as 'problem.internal.advice') : problem.advice
  return (
    <div className={styles.problem} role="alert">
      <CircleAlert size={18} aria-hidden="true" />
      <div>
        <p className={styles.title}>{title}</p>
        {advice && <p className={styles.advice}>{advice}</p>}
        {(onRetry || children) && (
          <div className={styles.acts}>
            {onRetry && (
              <Button size="s" onClick={onRetry}>
                {t('act.retry')}
              </Button>
            )}
            {children}
          </div>
        )}
      </div>
    </div>
  )
}
