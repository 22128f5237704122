import { useTranslation } from 'react-i18next'
import type { DocumentInfo } from '@/api/types'
import { ProgressBar } from '@/components/progress-bar'
import styles from './stage-line.module.css'

interface StageLineProps {
  document: DocumentInfo
}

/** What is being done with a document right now, with page counts. */
export function StageLine({ document }: StageLineProps) {
  const { t } = useTranslation()
  const { status, pages_done: done, page_count: count } = document
  const text =
    status === 'reading_pages' && count > 0
      ? t('library.stage.pages', { done, count })
      : t(`library.stage.${status}` as 'library.stage.kept')
  return (
    <div className={styles.stage} role="status">
      <span>{text}</span>
      <ProgressBar label={text} share={status === 'reading_pages' && count > 0 ? done / count : null} />
    </div>
  )
}
