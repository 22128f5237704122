import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'

interface ShellKeys {
  onPalette: () => void
  onHelp: () => void
}

const CHORD_MS = 900

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
}

/** Keys that work everywhere. The reader's own keys come first: it prevents what it uses. */
export function useShellKeys({ onPalette, onHelp }: ShellKeys): void {
  const navigate = useNavigate()
  const latest = useRef({ onPalette, onHelp, navigate })
  useEffect(() => {
    latest.current = { onPalette, onHelp, navigate }
  })
  useEffect(() => {
    let went = 0
    const onKeyDown = (event: KeyboardEvent) => {
      const act = latest.current
      if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k') {
        event.preventDefault()
        act.onPalette()
        return
      }
      const plain = !event.ctrlKey && !event.metaKey && !event.altKey && !event.defaultPrevented
      if (!plain || isTyping(event.target) || document.querySelector('[role="dialog"]')) return
      const chord = Date.now() - went < CHORD_MS
      if (event.key === 'g') went = Date.now()
      else if (chord && event.key === 'l') void act.navigate({ to: '/library' })
      else if (event.key === '?') act.onHelp()
      else if (event.key === 'n') void act.navigate({ to: '/chats' })
      else if (event.key === '/') void act.navigate({ to: '/search' })
      else return
      event.preventDefault()
    }
    window.addEventListener('keydown', onKeyDown)
    return () => window.removeEventListener('keydown', onKeyDown)
  }, [])
}
