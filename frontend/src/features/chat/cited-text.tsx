import { useMemo } from 'react'
import type { Citation } from '@/api/types'
import { Markdown } from '@/components/markdown'
import { placeMarks } from '@/lib/citation-marks'
import { CitationChip } from './citation-chip'
import { CitedContext } from './citation-links'

interface CitedTextProps {
  text: string
  citations: readonly (Citation | undefined)[]
}

// One function for all answers: blocks of Markdown are not drawn again when a citation arrives, only their chips.
const renderMark = (index: number) => <CitationChip index={index} />

export function CitedText({ text, citations }: CitedTextProps) {
  const marked = useMemo(() => placeMarks(text), [text])
  const cited = useMemo(
    () => ({
      citations,
      marks: marked.marks,
      several: new Set(marked.marks.map((mark) => mark.name)).size > 1,
    }),
    [citations, marked.marks],
  )
  return (
    <CitedContext value={cited}>
      <Markdown text={marked.text} renderMark={renderMark} />
    </CitedContext>
  )
}
