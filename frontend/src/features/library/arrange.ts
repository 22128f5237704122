/** Which documents stand on the screen, and in what order. */
import { documentPath } from '@/api/documents'
import type { DocumentInfo } from '@/api/types'

export type Order = 'newest' | 'name' | 'pages' | 'size'
export const ORDERS: readonly Order[] = ['newest', 'name', 'pages', 'size']
export type Show = 'all' | 'ready' | 'working' | 'failed'
export const SHOWS: readonly Show[] = ['all', 'ready', 'working', 'failed']

const collator = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' })

const compare: Record<Order, (a: DocumentInfo, b: DocumentInfo) => number> = {
  newest: (a, b) => b.created_at.localeCompare(a.created_at),
  name: (a, b) => collator.compare(a.name, b.name),
  pages: (a, b) => b.page_count - a.page_count,
  size: (a, b) => b.size_bytes - a.size_bytes,
}

export function groupOf(document: DocumentInfo): Exclude<Show, 'all'> {
  if (document.status === 'failed') return 'failed'
  return document.status.startsWith('ready') ? 'ready' : 'working'
}

export function arrange(
  documents: readonly DocumentInfo[],
  { q, order, show, hidden }: { q: string; order: Order; show: Show; hidden: ReadonlySet<string> },
): DocumentInfo[] {
  const words = q.toLowerCase().split(/\s+/).filter(Boolean)
  return documents
    .filter((document) => !hidden.has(documentPath(document.id)))
    .filter((document) => show === 'all' || groupOf(document) === show)
    .filter((document) => {
      const text = `${document.name} ${document.title} ${document.author}`.toLowerCase()
      return words.every((word) => text.includes(word))
    })
    .sort(compare[order])
}
