import { createContext, useContext } from 'react'
import type { Citation } from '@/api/types'

export interface CitedPlace {
  document_id: string
  page: number
  quote: string
}

/** Where a cited place opens is for the screen to say: chat knows no reader. */
export const CitationLinks = createContext<(place: CitedPlace) => string>(
  ({ document_id, page }) => `/read/${document_id}?page=${page}`,
)

/** Citations of one answer and the marks as written, for the chips inside its text. */
export interface Cited {
  citations: readonly (Citation | undefined)[]
  marks: readonly { name: string; page: number; label: string }[]
  /** Whether more than one document is cited, so that chips must name theirs. */
  several: boolean
}

export const CitedContext = createContext<Cited>({ citations: [], marks: [], several: true })
export const useCited = () => useContext(CitedContext)
