/** Find a quote in text that is cut into pieces, as the text nodes of a rendered page are. */

export interface FoundText {
  start: { piece: number; offset: number }
  /** Behind the last character. */
  end: { piece: number; offset: number }
}

/** White space, and what stands between cells, does not count: rendering changes both. */
const SKIPPED = /[\s|\u00ad\u200b]/

export function findQuote(pieces: readonly string[], quote: string): FoundText | null {
  const wanted = keptOf(quote)
  if (wanted === '') return null
  const places: { piece: number; offset: number }[] = []
  let whole = ''
  for (const [piece, text] of pieces.entries()) {
    for (let offset = 0; offset < text.length; offset++) {
      const letter = text[offset] as string
      if (SKIPPED.test(letter)) continue
      whole += fold(letter)
      places.push({ piece, offset })
    }
  }
  const at = whole.indexOf(wanted)
  const start = places[at]
  const last = places[at + wanted.length - 1]
  if (at < 0 || !start || !last) return null
  return { start, end: { piece: last.piece, offset: last.offset + 1 } }
}

function keptOf(text: string): string {
  return [...text.split('')]
    .filter((letter) => !SKIPPED.test(letter))
    .map(fold)
    .join('')
}

/** One letter for one letter, so that places stay what they are. */
function fold(letter: string): string {
  const low = letter.toLowerCase()
  return low.length === 1 ? low : letter
}
