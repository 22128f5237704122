/**
 * Cut growing Markdown into blocks, so that only the last one is read again while an answer streams.
 *
 * A cut falls on blank lines outside fenced code and display math, and never between two items of one list.
 */

const FENCE = /^ {0,3}(`{3,}|~{3,})/
const LIST_ITEM = /^ {0,3}(?:[-*+]|\d{1,9}[.)])\s/

export function splitBlocks(markdown: string): string[] {
  const blocks: string[] = []
  let current: string[] = []
  let fence: string | null = null
  let math: string | null = null
  let blank = false

  for (const line of markdown.split('\n')) {
    if (fence === null && math === null && blank && line.trim() !== '' && startsBlock(line, current)) {
      blocks.push(current.join('\n'))
      current = []
    }
    const mark = FENCE.exec(line)?.[1]
    if (fence !== null) {
      if (mark?.startsWith(fence)) fence = null
    } else if (math !== null) {
      if (line.trim().endsWith(math)) math = null
    } else if (mark) {
      fence = mark
    } else if (opensMath(line, '$$')) {
      math = '$$'
    } else if (line.trim().startsWith('\\[') && !line.includes('\\]')) {
      math = '\\]'
    }
    blank = line.trim() === '' && fence === null && math === null
    current.push(line)
  }
  if (current.some((line) => line.trim() !== '')) blocks.push(current.join('\n'))
  return blocks
}

function opensMath(line: string, mark: string): boolean {
  const text = line.trim()
  return text.startsWith(mark) && !(text.length > mark.length && text.indexOf(mark, mark.length) >= 0)
}

function startsBlock(line: string, before: readonly string[]): boolean {
  if (before.length === 0 || /^\s/.test(line)) return false
  const first = before.find((text) => text.trim() !== '') ?? ''
  return !(LIST_ITEM.test(first) && LIST_ITEM.test(line))
}

/** `\( \)` and `\[ \]` as dollars, which is what remark-math reads. Code is left alone. */
export function dollarMath(markdown: string): string {
  if (!markdown.includes('\\(') && !markdown.includes('\\[')) return markdown
  const pieces = markdown.split(/(```[\s\S]*?(?:```|$)|~~~[\s\S]*?(?:~~~|$)|`[^`\n]*`)/)
  return pieces
    .map((piece, index) =>
      index % 2 === 1
        ? piece
        : piece
            .replace(/\\\[([\s\S]*?)\\\]/g, (_, body: string) => ['', '$$', body.trim(), '$$', ''].join('\n'))
            .replace(/\\\(([\s\S]*?)\\\)/g, (_, body: string) => `$${body.trim()}$`),
    )
    .join('')
}
