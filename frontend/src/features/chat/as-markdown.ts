/** An answer to paste elsewhere: its marks as numbered footnotes, with a list of what they cite. */
import type { Citation } from '@/api/types'
import { PLACEHOLDER, placeMarks } from '@/lib/citation-marks'

export function asMarkdown(
  answer: string,
  citations: readonly (Citation | undefined)[],
  heading: string,
  prefix = '',
): string {
  const { text } = placeMarks(answer)
  const numbers = new Map<string, number>()
  const references: string[] = []
  const body = text.replace(PLACEHOLDER, (_, index: string) => {
    const citation = citations[Number(index)]
    if (!citation) return ''
    const key = `${citation.document_id}:${citation.page}:${citation.quote}`
    let number = numbers.get(key)
    if (number === undefined) {
      number = numbers.size + 1
      numbers.set(key, number)
      references.push(reference(`${prefix}${number}`, citation))
    }
    return `[^${prefix}${number}]`
  })
  return references.length === 0 ? body.trim() : `${body.trim()}\n\n### ${heading}\n\n${references.join('\n')}\n`
}

function reference(number: string, citation: Citation): string {
  const label = citation.page_label && citation.page_label !== String(citation.page) ? ` (${citation.page_label})` : ''
  const quote = citation.quote ? `: “${citation.quote.replace(/\s+/g, ' ').trim()}”` : ''
  return `[^${number}]: ${citation.name}, p. ${citation.page}${label}${quote}`
}
