import { useRouter } from '@tanstack/react-router'
import { useContext, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { pageImageUrl, useTitles } from '@/api/documents'
import type { PageRef } from '@/api/types'
import { CitationLinks } from './citation-links'
import styles from './trail.module.css'

interface PageThumbsProps {
  pages: readonly PageRef[]
}

const MOST = 8

/** Pages that were read, small, each a way to open it. */
export function PageThumbs({ pages }: PageThumbsProps) {
  return (
    <ul className={styles.thumbs}>
      {pages.slice(0, MOST).map((page) => (
        <li key={`${page.document_id}:${page.page}`}>
          <Thumb page={page} />
        </li>
      ))}
      {pages.length > MOST && <li className={styles.moreThumbs}>+{pages.length - MOST}</li>}
    </ul>
  )
}

function Thumb({ page }: { page: PageRef }) {
  const { t } = useTranslation()
  const { history } = useRouter()
  const [missing, setMissing] = useState(false)
  const title = useTitles().byId.get(page.document_id) || page.name
  const href = useContext(CitationLinks)({ document_id: page.document_id, page: page.page, quote: '' })
  return (
    <a
      href={href}
      className={styles.thumb}
      aria-label={`${title}, ${t('chat.page', { page: page.page })}`}
      onClick={(event) => {
        if (event.metaKey || event.ctrlKey) return
        event.preventDefault()
        history.push(href)
      }}
    >
      {!missing && (
        <img src={pageImageUrl(page.document_id, page.page)} alt="" loading="lazy" onError={() => setMissing(true)} />
      )}
      <span>{page.page}</span>
    </a>
  )
}
