import { type ReactNode, useMemo } from 'react'
import type { ScanPage } from '@/api/ocr'
import styles from './scan-sheet.module.css'

interface ScanWordsProps {
  page: ScanPage
  pointed: number | null
  onPoint: (word: number | null) => void
}

const UNSURE = 0.75

/** The text, with words that the engine was not sure of marked, and the one pointed at in the picture set off. */
export function ScanWords({ page, pointed, onPoint }: ScanWordsProps) {
  const parts = useMemo(() => partsOf(page), [page])
  return (
    <p
      className={styles.text}
      onPointerOver={(event) => {
        const word = (event.target as HTMLElement).dataset.word
        onPoint(word === undefined ? null : Number(word))
      }}
      onPointerLeave={() => onPoint(null)}
    >
      {parts.map(({ text, word }): ReactNode => {
        if (word === null) return text
        return (
          <span
            key={word}
            data-word={word}
            data-pointed={word === pointed || undefined}
            data-unsure={(page.words[word]?.confidence ?? 1) < UNSURE || undefined}
          >
            {text}
          </span>
        )
      })}
    </p>
  )
}

interface Part {
  text: string
  word: number | null
}

/** The page's text cut at its words. Positions count characters; a JavaScript string counts some of them twice. */
function partsOf(page: ScanPage): Part[] {
  const letters = [...page.text]
  const parts: Part[] = []
  let from = 0
  const order = page.words.map((_, index) => index).sort((a, b) => startOf(page, a) - startOf(page, b))
  for (const index of order) {
    const word = page.words[index]
    if (!word || word.start < from) continue
    if (word.start > from) parts.push({ text: letters.slice(from, word.start).join(''), word: null })
    parts.push({ text: letters.slice(word.start, word.end).join(''), word: index })
    from = word.end
  }
  parts.push({ text: letters.slice(from).join(''), word: null })
  return parts
}

const startOf = (page: ScanPage, index: number) => page.words[index]?.start ?? 0
