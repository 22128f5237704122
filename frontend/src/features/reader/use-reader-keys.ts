import { type RefObject, useEffect, useRef } from 'react'
import type { PagesHandle } from './page-handle'

interface ReaderKeys {
  page: number
  onPage: (page: number) => void
  onFind: () => void
  pdf: RefObject<PagesHandle | null>
  disabled: boolean
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
}

/** j and k turn pages, + and - zoom, / and Ctrl+F find. */
export function useReaderKeys(keys: ReaderKeys): void {
  const latest = useRef(keys)
  useEffect(() => {
    latest.current = keys
  })
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const { page, onPage, onFind, pdf, disabled } = latest.current
      if (disabled || event.defaultPrevented) return
      const find = (event.ctrlKey || event.metaKey) && event.key === 'f'
      if (!find && (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target))) return
      const acts: Record<string, () => void> = {
        j: () => onPage(page + 1),
        k: () => onPage(page - 1),
        '+': () => pdf.current?.zoom(1),
        '=': () => pdf.current?.zoom(1),
        '-': () => pdf.current?.zoom(-1),
        '/': onFind,
        f: onFind,
      }
      const act = acts[event.key]
      if (!act) return
      event.preventDefault()
      act()
    }
    window.addEventListener('keydown', onKeyDown)
    return () => window.removeEventListener('keydown', onKeyDown)
  }, [])
}
