import { Link } from '@tanstack/react-router'
import { ChevronRight } from 'lucide-react'
import { Fragment, type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { pageImageUrl, useTitles } from '@/api/documents'
import type { Hit } from '@/api/types'
import styles from './search-page.module.css'

interface HitCardProps {
  hit: Hit
}

export function HitCard({ hit }: HitCardProps) {
  const { t } = useTranslation()
  const [missing, setMissing] = useState(false)
  const title = useTitles().byId.get(hit.document_id) ?? ''
  return (
    <Link
      to="/read/$documentId"
      params={{ documentId: hit.document_id }}
      search={{ page: hit.page, quote: quoteOf(hit) }}
      className={styles.hit}
    >
      <div className={styles.thumb}>
        {!missing && (
          <img src={pageImageUrl(hit.document_id, hit.page)} alt="" loading="lazy" onError={() => setMissing(true)} />
        )}
      </div>
      <div className={styles.words}>
        <p className={styles.place}>
          <strong title={hit.name}>{title || hit.name}</strong>
          <span>
            {t('chat.page', { page: hit.page })}
            {hit.page_label && hit.page_label !== String(hit.page) && ` (${hit.page_label})`}
          </span>
        </p>
        {hit.section.length > 0 && (
          <p className={styles.section}>
            {hit.section.map((title, level) => (
              <Fragment key={hit.section.slice(0, level + 1).join('/')}>
                {level > 0 && <ChevronRight size={12} aria-hidden="true" />}
                <span>{title}</span>
              </Fragment>
            ))}
          </p>
        )}
        <p className={styles.snippet}>{marked(hit)}</p>
        <Why why={hit.why} />
      </div>
    </Link>
  )
}

const FIELDS = ['name', 'title', 'section', 'head', 'body', 'table', 'summary'] as const

/** Why the page was found: the fields that hold the words. */
function Why({ why }: { why: readonly string[] }) {
  const { t } = useTranslation()
  const fields = why.map((reason) => {
    const [field = '', words = ''] = reason.split(': ', 2)
    const known = FIELDS.find((name) => name === field)
    return known ? `${t(`search.why.${known}`)}: ${words}` : reason
  })
  return fields.length > 0 ? <p className={styles.why}>{fields.join(' · ')}</p> : null
}

/** The snippet with the words that were found set off. */
function marked({ snippet }: Hit): ReactNode[] {
  const parts: ReactNode[] = []
  // Positions count characters, as the server does; a JavaScript string counts some of them twice.
  const letters = [...snippet.text]
  let from = 0
  for (const [start, end] of snippet.marks) {
    if (start < from) continue
    parts.push(letters.slice(from, start).join(''), <mark key={start}>{letters.slice(start, end).join('')}</mark>)
    from = end
  }
  parts.push(letters.slice(from).join(''))
  return parts
}

const QUOTE_WORDS = 6

/** Words around the first one found, to mark on the page. */
function quoteOf({ snippet }: Hit): string | undefined {
  const [first] = snippet.marks
  if (!first) return undefined
  const rest = [...snippet.text].slice(first[0]).join('').split('\n')[0] ?? ''
  const words = rest.replace(/…$/, '').trim().split(/\s+/)
  return words.slice(0, QUOTE_WORDS).join(' ').slice(0, 160) || undefined
}
