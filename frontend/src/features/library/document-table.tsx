import { Link } from '@tanstack/react-router'
import { useVirtualizer } from '@tanstack/react-virtual'
import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { isReadable } from '@/api/documents'
import type { DocumentInfo } from '@/api/types'
import { formatDate } from '@/lib/dates'
import { ownTitle, titleOf } from '@/lib/document-title'
import { formatBytes, formatCount } from '@/lib/sizes'
import { DocumentMenu } from './document-menu'
import styles from './document-table.module.css'
import { FailureNote } from './failure-note'
import { StageLine } from './stage-line'

interface DocumentTableProps {
  documents: readonly DocumentInfo[]
}

/** The library as a list. Rows are list items with named cells, which screen readers follow also when rows come and go. */
export function DocumentTable({ documents }: DocumentTableProps) {
  const { t } = useTranslation()
  const scroller = useRef<HTMLDivElement>(null)
  const rows = useVirtualizer({
    count: documents.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => (documents[index]?.status === 'failed' ? 72 : 46),
    getItemKey: (index) => documents[index]?.id ?? index,
    overscan: 10,
  })
  return (
    <div className={styles.table}>
      <div className={styles.header} aria-hidden="true">
        <span>{t('library.column.name')}</span>
        <span>{t('library.column.pages')}</span>
        <span>{t('library.column.size')}</span>
        <span>{t('library.column.added')}</span>
        <span />
      </div>
      <div ref={scroller} className={styles.scroller}>
        <ul className={styles.rows} style={{ height: rows.getTotalSize() }} aria-label={t('nav.library')}>
          {rows.getVirtualItems().map((row) => {
            const document = documents[row.index]
            return (
              document && (
                <li
                  key={row.key}
                  ref={rows.measureElement}
                  data-index={row.index}
                  className={styles.row}
                  style={{ transform: `translateY(${row.start}px)` }}
                >
                  <Row document={document} />
                </li>
              )
            )
          })}
        </ul>
      </div>
    </div>
  )
}

function Row({ document }: { document: DocumentInfo }) {
  const { t, i18n } = useTranslation()
  const language = i18n.language
  return (
    <>
      <div className={styles.name}>
        {isReadable(document) ? (
          <Link to="/read/$documentId" params={{ documentId: document.id }}>
            {titleOf(document)}
          </Link>
        ) : (
          <span>{titleOf(document)}</span>
        )}
        {ownTitle(document) && <span className={styles.file}>{document.name}</span>}
        {document.status === 'failed' && <FailureNote document={document} inline />}
        {!isReadable(document) && document.status !== 'failed' && <StageLine document={document} />}
      </div>
      <span className={styles.number}>
        <span className="visually-hidden">{t('library.column.pages')} </span>
        {document.page_count > 0 ? formatCount(document.page_count, language) : '–'}
      </span>
      <span className={styles.number}>
        <span className="visually-hidden">{t('library.column.size')} </span>
        {formatBytes(document.size_bytes, language)}
      </span>
      <span className={styles.number}>
        <span className="visually-hidden">{t('library.column.added')} </span>
        {formatDate(document.created_at, language)}
      </span>
      <DocumentMenu document={document} />
    </>
  )
}
