import { useQueries } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '@/api/client'
import { isReadable, useDocuments, useTitles } from '@/api/documents'
import { keys } from '@/api/query-keys'
import type { DocumentTree, Scope } from '@/api/types'
import styles from './first-question.module.css'

interface FirstQuestionProps {
  scope: Scope
  pane: boolean
  onAsk: (text: string) => void
  children: ReactNode
}

const MOST = 4

/** An empty conversation: the field, and questions that the documents' own sections suggest. */
export function FirstQuestion({ scope, pane, onAsk, children }: FirstQuestionProps) {
  const { t } = useTranslation()
  const list = useDocuments()
  const readable = (list.data?.documents ?? []).filter(isReadable)
  const chosen = readable.filter((document) => scope.documents.length === 0 || scope.documents.includes(document.id))
  const sections = useSections(chosen.slice(0, 3).map((document) => document.id))
  return (
    <div className={styles.first} data-pane={pane || undefined}>
      <h1>{t(pane ? 'chat.firstPane' : 'chat.first')}</h1>
      {children}
      {list.isSuccess && readable.length === 0 && (
        <p className={styles.none}>
          {t('chat.noDocuments')} <Link to="/library">{t('library.add')}</Link>
        </p>
      )}
      {sections.length > 0 && (
        <ul className={styles.suggestions} aria-label={t('chat.suggestions')}>
          {sections.slice(0, MOST).map((section) => (
            <li key={`${section.name} ${section.title}`}>
              <button type="button" onClick={() => onAsk(t('chat.suggest', { title: section.title }))}>
                <span>{t('chat.suggest', { title: section.title })}</span>
                <small>{section.name}</small>
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

interface Section {
  title: string
  name: string
}

const DULL =
  /^(contents|table of contents|index|cover|preface|title page|references|bibliography|目录|封面|参考文献|page \d+)$/i

/** A title without quotation marks of its own around it: it gets ours. */
function bare(title: string): string {
  return title.trim().replace(/^["“”「『']+|["“”」』']+$/g, '')
}

/** Titles worth asking about: sections of some pages, from each document in turn. */
function useSections(ids: readonly string[]): Section[] {
  const titles = useTitles()
  const trees = useQueries({
    queries: ids.map((id) => ({
      queryKey: keys.tree(id),
      queryFn: () => call<DocumentTree>(`/api/documents/${id}/tree`),
      staleTime: 60_000,
    })),
  })
  const perDocument = trees.map((tree) =>
    (tree.data?.source === 'pages' ? [] : (tree.data?.nodes ?? []))
      .flatMap((node) => (node.children.length > 2 ? [node, ...node.children.slice(0, 3)] : [node]))
      .filter((node) => !DULL.test(node.title.trim()) && node.title.trim().length > 3 && node.title.length < 90)
      .sort((a, b) => b.page_to - b.page_from - (a.page_to - a.page_from))
      .slice(0, MOST)
      .map((node) => ({
        title: bare(node.title),
        name: titles.byId.get(tree.data?.document_id ?? '') || (tree.data?.name ?? ''),
      })),
  )
  const picked: Section[] = []
  for (let round = 0; round < MOST; round++) {
    for (const sections of perDocument) {
      const section = sections[round]
      if (section) picked.push(section)
    }
  }
  return picked
}
