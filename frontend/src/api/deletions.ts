/** Deleting with time to think again: a thing leaves the screen at once and the server a few seconds later. */
import { useSyncExternalStore } from 'react'
import { call } from './client'

export const UNDO_MS = 7_000
let hidden: ReadonlySet<string> = new Set()
const timers = new Map<string, ReturnType<typeof setTimeout>>()
const watchers = new Set<() => void>()

function change(next: ReadonlySet<string>): void {
  hidden = next
  for (const tell of watchers) tell()
}

function show(path: string): void {
  const next = new Set(hidden)
  next.delete(path)
  change(next)
}

interface Afterwards {
  onGone: () => void
  onProblem: (error: unknown) => void
}

/** `path` is the address that DELETE is sent to. */
export function deleteLater(path: string, { onGone, onProblem }: Afterwards): void {
  change(new Set(hidden).add(path))
  const commit = async () => {
    timers.delete(path)
    try {
      await call(path, { method: 'DELETE' })
      onGone()
    } catch (error) {
      onProblem(error)
      show(path)
    }
  }
  timers.set(path, setTimeout(commit, UNDO_MS))
}

export function undoDelete(path: string): void {
  clearTimeout(timers.get(path))
  timers.delete(path)
  show(path)
}

// Closing the page is not changing one's mind.
window.addEventListener('pagehide', () => {
  for (const path of timers.keys()) void fetch(path, { method: 'DELETE', keepalive: true })
})

function subscribe(tell: () => void): () => void {
  watchers.add(tell)
  return () => watchers.delete(tell)
}

/** Paths of what is deleted on the screen, and soon on the server. */
export function useHidden(): ReadonlySet<string> {
  return useSyncExternalStore(subscribe, () => hidden)
}
