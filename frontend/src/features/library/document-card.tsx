import { Link } from '@tanstack/react-router'
import { FileWarning, LockKeyhole } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { isReadable, pageImageUrl } from '@/api/documents'
import type { DocumentInfo } from '@/api/types'
import { shortName } from '@/lib/citation-marks'
import { ownTitle, titleOf } from '@/lib/document-title'
import styles from './document-card.module.css'
import { DocumentMenu } from './document-menu'
import { FailureNote } from './failure-note'
import { StageLine } from './stage-line'

interface DocumentCardProps {
  document: DocumentInfo
}

export function DocumentCard({ document }: DocumentCardProps) {
  const { t } = useTranslation()
  const readable = isReadable(document)
  const failed = document.status === 'failed'
  const title = ownTitle(document)
  return (
    <article className={styles.card} data-failed={failed || undefined}>
      <div className={styles.coverPlace}>
        {readable ? (
          <Link
            to="/read/$documentId"
            params={{ documentId: document.id }}
            className={styles.open}
            aria-label={t('library.open', { name: titleOf(document) })}
          >
            <Cover document={document} />
          </Link>
        ) : (
          <div className={styles.blank}>
            {failed ? (
              <>
                {document.problem?.code === 'encrypted' ? <LockKeyhole size={26} /> : <FileWarning size={26} />}
                <FailureNote document={document} />
              </>
            ) : (
              <StageLine document={document} />
            )}
          </div>
        )}
      </div>
      <div className={styles.words}>
        <div className={styles.titleRow}>
          <h2 className={styles.title} title={document.name}>
            {titleOf(document)}
          </h2>
          <DocumentMenu document={document} />
        </div>
        <p className={styles.meta}>
          {document.page_count > 0 && <span>{t('library.pages', { count: document.page_count })}</span>}
          {title && <span className={styles.file}>{document.name}</span>}
          {!title && document.author && <span className={styles.file}>{document.author}</span>}
        </p>
      </div>
    </article>
  )
}

function Cover({ document }: DocumentCardProps) {
  const [missing, setMissing] = useState(false)
  if (missing) {
    return (
      <div className={styles.plate}>
        <span>{shortName(titleOf(document), 60)}</span>
      </div>
    )
  }
  return (
    <img
      className={styles.cover}
      src={pageImageUrl(document.id, 1)}
      alt=""
      loading="lazy"
      decoding="async"
      onError={() => setMissing(true)}
    />
  )
}
