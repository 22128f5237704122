/** Marks on rendered text by the browser's own highlights: the page's elements stay as they are. */
import { findQuote } from '@/lib/find-in-text'

const QUOTE = 'docmind-quote'
const FOUND = 'docmind-found'

const hasHighlights = 'highlights' in CSS

function textNodes(root: Node): Text[] {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT, (node) =>
    // KaTeX says each formula twice: once to be seen, once to be read aloud.
    node.parentElement?.closest('.katex-html') ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_ACCEPT,
  )
  const nodes: Text[] = []
  while (walker.nextNode()) nodes.push(walker.currentNode as Text)
  return nodes
}

/** Marks the quote and brings it into sight. */
export function markQuote(root: HTMLElement, quote: string): { found: boolean; remove: () => void } {
  const nodes = textNodes(root)
  const place = findQuote(
    nodes.map((node) => node.data),
    quote,
  )
  const [from, to] = [place && nodes[place.start.piece], place && nodes[place.end.piece]]
  if (!place || !from || !to) return { found: false, remove: () => {} }
  const range = document.createRange()
  range.setStart(from, place.start.offset)
  range.setEnd(to, place.end.offset)
  if (hasHighlights) CSS.highlights.set(QUOTE, new Highlight(range))
  // After the list has measured this page: before, the place would be moved away again.
  const frame = requestAnimationFrame(() => from.parentElement?.scrollIntoView({ block: 'center' }))
  return {
    found: true,
    remove: () => {
      cancelAnimationFrame(frame)
      CSS.highlights?.delete(QUOTE)
    },
  }
}

/** Marks every place of the words; several pages share one mark. */
export function markWords(root: HTMLElement, words: string): () => void {
  if (!hasHighlights) return () => {}
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean)
  const ranges: Range[] = []
  for (const node of textNodes(root)) {
    const text = node.data.toLowerCase()
    for (const word of wanted) {
      for (let at = text.indexOf(word); at >= 0 && text.length === node.data.length; at = text.indexOf(word, at + 1)) {
        const range = document.createRange()
        range.setStart(node, at)
        range.setEnd(node, at + word.length)
        ranges.push(range)
      }
    }
  }
  const highlight = CSS.highlights.get(FOUND) ?? new Highlight()
  for (const range of ranges) highlight.add(range)
  CSS.highlights.set(FOUND, highlight)
  return () => {
    for (const range of ranges) highlight.delete(range)
  }
}
