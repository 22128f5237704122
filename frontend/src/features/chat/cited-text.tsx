import { useMemo } from 'react'
import { type Titles, useTitles } from '@/api/documents'
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

/** Titles for the chips, unless two of the documents share one: then only the files' names tell them apart. */
function labelsFor(names: readonly string[], { byName }: Titles): (name: string) => string {
  const title = (name: string) => byName.get(name) || name
  return new Set(names.map(title)).size === names.length ? title : (name) => name
}

export function CitedText({ text, citations }: CitedTextProps) {
  const marked = useMemo(() => placeMarks(text), [text])
  const titles = useTitles()
  const cited = useMemo(() => {
    const names = new Set(marked.marks.map((mark) => mark.name))
    const label = labelsFor([...names], titles)
    return {
      citations,
      marks: marked.marks.map((mark) => ({ ...mark, label: label(mark.name) })),
      several: names.size > 1,
    }
  }, [citations, marked.marks, titles])
  return (
    <CitedContext value={cited}>
      <Markdown text={marked.text} renderMark={renderMark} />
    </CitedContext>
  )
}
