import { Link } from '@tanstack/react-router'
import { MessageSquareText, Search, SearchX } from 'lucide-react'
import { useDeferredValue, useEffect, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { isReadable, useDocuments, useSearch } from '@/api/documents'
import type { Hit } from '@/api/types'
import { Choice } from '@/components/choice'
import { Empty, ProblemNote, Waiting } from '@/components/states'
import { titleOf } from '@/lib/document-title'
import { asProblem } from '@/lib/problems'
import { HitCard } from './hit-card'
import styles from './search-page.module.css'

interface SearchPageProps {
  q: string
  doc: string
  onPlace: (place: { q: string; doc: string }) => void
}

const SETTLE_MS = 250
const EVERYWHERE = 'all'

/** Pages found by their words, with where they stand and why they were found. */
export function SearchPage({ q, doc, onPlace }: SearchPageProps) {
  const { t } = useTranslation()
  const [typed, setTyped] = useState(q)
  const list = useDocuments()
  const search = useSearch(q, doc ? [doc] : [])
  const hits = useDeferredValue(search.data ?? [])
  const documents = (list.data?.documents ?? []).filter(isReadable)

  useEffect(() => {
    if (typed === q) return
    const timer = setTimeout(() => onPlace({ q: typed, doc }), SETTLE_MS)
    return () => clearTimeout(timer)
  }, [typed, q, doc, onPlace])

  const found = useMemo(() => [...new Set(hits.map((hit) => hit.document_id))], [hits])
  return (
    <div className={styles.page}>
      <header className={styles.head}>
        <h1>{t('nav.search')}</h1>
        <search className={styles.field}>
          <Search size={19} aria-hidden="true" />
          <input
            type="search"
            aria-label={t('search.label')}
            placeholder={t('search.label')}
            autoFocus
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
            onKeyDown={(event) => event.key === 'Enter' && onPlace({ q: typed, doc })}
          />
        </search>
        <div className={styles.tools}>
          <Choice
            label={t('search.where')}
            value={doc || EVERYWHERE}
            options={[
              { value: EVERYWHERE, label: t('scope.library') },
              ...documents.map((document) => ({ value: document.id, label: titleOf(document) })),
            ]}
            onChange={(value) => onPlace({ q, doc: value === EVERYWHERE ? '' : value })}
          />
          {hits.length > 0 && (
            <>
              <span role="status">{t('search.found', { count: hits.length })}</span>
              <Link to="/chats" search={{ scope: found.join(','), ask: q }} className={styles.ask}>
                <MessageSquareText size={15} aria-hidden="true" />
                {t('search.ask')}
              </Link>
            </>
          )}
        </div>
      </header>
      <Found search={search} hits={hits} q={q} />
    </div>
  )
}

interface FoundProps {
  search: ReturnType<typeof useSearch>
  hits: readonly Hit[]
  q: string
}

function Found({ search, hits, q }: FoundProps) {
  const { t } = useTranslation()
  if (q.trim() === '') return <Empty icon={<Search size={44} strokeWidth={1} />} title={t('search.begin')} />
  if (search.isError) return <ProblemNote problem={asProblem(search.error)} onRetry={() => search.refetch()} />
  if (search.isPending) return <Waiting />
  if (hits.length === 0) {
    return (
      <Empty icon={<SearchX size={44} strokeWidth={1} />} title={t('search.none')}>
        <p>{t('search.noneHint')}</p>
      </Empty>
    )
  }
  return (
    <ol className={styles.hits}>
      {hits.map((hit) => (
        <li key={`${hit.document_id}:${hit.page}`}>
          <HitCard hit={hit} />
        </li>
      ))}
    </ol>
  )
}
