/**
 * Find the citation marks of an answer and replace each by a placeholder that Markdown leaves alone.
 *
 * A mark is the literal text `[name p.12]`. Names may hold `_`, `*` or `$`, so marks must go before Markdown is read.
 * The n-th citation belongs to the n-th mark.
 */

export interface MarkedText {
  text: string
  /** The mark's own words, by index: shown while its citation has not arrived. */
  marks: { name: string; page: number }[]
}

const MARK = /\[([^[\]\n]{1,320}?) p\.(\d{1,7})\]/g
const OPEN = '\uE000'
const CLOSE = '\uE001'

export const PLACEHOLDER = /\uE000(\d+)\uE001/g

/** Marks become placeholders. Those of the answer's own checked citations are the n-th of all marks. */
export function placeMarks(answer: string): MarkedText {
  const marks: MarkedText['marks'] = []
  const text = answer.replaceAll(/[\uE000\uE001]/g, '').replace(MARK, (_, name: string, page: string) => {
    marks.push({ name, page: Number(page) })
    return `${OPEN}${marks.length - 1}${CLOSE}`
  })
  return { text, marks }
}

/** A file's name without its ending, short enough for a line of text. */
export function shortName(name: string, limit = 22): string {
  const bare = name.replace(/\.(pdf|docx|pptx|xlsx|epub|md|txt|html?|png|jpe?g|tiff?)$/i, '')
  const letters = [...bare]
  return letters.length <= limit
    ? bare
    : `${letters
        .slice(0, limit - 1)
        .join('')
        .trimEnd()}…`
}
