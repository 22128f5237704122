/** Text of a page for reading: lines that the page's width alone broke run on; rows, verses and lists stay as they are. */

const WORD_BROKEN = /(\p{Ll})-$/u
const CJK_END = /[\u3000-\u9fff\uff00-\uffef]$/
const COLUMNS = /\S {2,}\S|\t/
const LIST_ITEM = /^\s*(?:[-•*–]|\d{1,3}[.)]|\(\w{1,3}\))\s/

export function reflow(text: string): string {
  return text
    .split(/\n[^\S\n]*\n/)
    .map((paragraph) => (isProse(paragraph.split('\n')) ? joined(paragraph.split('\n')) : paragraph))
    .join('\n\n')
}

/** All lines but the last are about as long as the longest, and none has columns or begins a list. */
function isProse(lines: readonly string[]): boolean {
  if (lines.length < 2) return false
  const longest = Math.max(...lines.map((line) => line.length))
  return (
    longest >= 30 &&
    lines.slice(0, -1).every((line) => line.length >= longest * 0.6) &&
    lines.every((line) => !COLUMNS.test(line.trim()) && !LIST_ITEM.test(line))
  )
}

function joined(lines: readonly string[]): string {
  return lines.reduce((before, line) => {
    const next = line.trim()
    if (WORD_BROKEN.test(before) && /^\p{Ll}/u.test(next)) return before.slice(0, -1) + next
    return CJK_END.test(before) ? before + next : `${before} ${next}`
  })
}
