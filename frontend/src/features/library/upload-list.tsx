import { FileUp, X } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Button, IconButton } from '@/components/button'
import { ProgressBar } from '@/components/progress-bar'
import styles from './upload-list.module.css'
import { dismissUpload, retryUpload, type Upload, type UploadDone } from './uploads'

interface UploadListProps {
  uploads: readonly Upload[]
  onDone: (done: UploadDone) => void
}

const MOST = 6

/** Files that have not arrived yet, and those that the server would not take. */
export function UploadList({ uploads, onDone }: UploadListProps) {
  const { t } = useTranslation()
  if (uploads.length === 0) return null
  return (
    <ul className={styles.list} aria-label={t('library.uploads')}>
      {uploads.slice(0, MOST).map((upload) => (
        <UploadRow key={upload.id} upload={upload} onDone={onDone} />
      ))}
      {uploads.length > MOST && (
        <li className={styles.more}>{t('library.moreUploads', { count: uploads.length - MOST })}</li>
      )}
    </ul>
  )
}

function UploadRow({ upload, onDone }: { upload: Upload; onDone: UploadListProps['onDone'] }) {
  const { t, i18n } = useTranslation()
  const code = upload.problem?.code ?? ''
  const title = i18n.exists(`problem.${code}.title`)
    ? t(`problem.${code}.title` as 'problem.internal.title')
    : upload.problem?.message
  const advice = i18n.exists(`problem.${code}.advice`)
    ? t(`problem.${code}.advice` as 'problem.internal.advice')
    : upload.problem?.advice
  return (
    <li className={styles.row} data-failed={upload.state === 'failed' || undefined}>
      <FileUp size={17} aria-hidden="true" />
      <span className={styles.name}>{upload.name}</span>
      {upload.state === 'failed' ? (
        <>
          <span className={styles.why} role="alert">
            {title} <span>{advice}</span>
          </span>
          <Button size="s" onClick={() => retryUpload(upload.id, onDone)}>
            {t('act.retry')}
          </Button>
          <IconButton label={t('act.dismiss')} icon={<X size={16} />} onClick={() => dismissUpload(upload.id)} />
        </>
      ) : (
        <ProgressBar label={t('library.sending', { name: upload.name })} share={upload.share} />
      )}
    </li>
  )
}
