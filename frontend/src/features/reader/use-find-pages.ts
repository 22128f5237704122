import { useEffect, useRef, useState } from 'react'
import { useSearch } from '@/api/documents'

interface Finding {
  onFound: (found: { current: number; total: number }) => void
  onGo: (page: number) => void
}

const SETTLE_MS = 250
const MOST = 50

/** Find in a document that is not all in the page: the server says which pages hold the words, the browser marks them. */
export function useFindPages(documentId: string, finding: Finding) {
  const [typed, setTyped] = useState('')
  const [query, setQuery] = useState('')
  const [at, setAt] = useState(0)
  const latest = useRef(finding)
  useEffect(() => {
    latest.current = finding
  })
  useEffect(() => {
    const timer = setTimeout(() => {
      setQuery(typed.trim())
      setAt(0)
    }, SETTLE_MS)
    return () => clearTimeout(timer)
  }, [typed])
  const search = useSearch(query, [documentId], MOST)
  const numbers = query === '' ? '' : [...new Set(search.data?.map((hit) => hit.page))].sort((a, b) => a - b).join()
  const found = numbers === '' ? [] : numbers.split(',').map(Number)
  const total = found.length
  const current = total === 0 ? 0 : (at % total) + 1
  const page = found[current - 1]
  useEffect(() => {
    latest.current.onFound({ current, total })
    if (page !== undefined) latest.current.onGo(page)
  }, [current, total, page])
  const find = (words: string, direction?: 'next' | 'previous') => {
    setTyped(words)
    if (direction && total > 0) setAt((before) => (before + (direction === 'next' ? 1 : total - 1)) % total)
  }
  return { query, find }
}
