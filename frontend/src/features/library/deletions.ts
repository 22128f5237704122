/** Deleting with time to think again: a document leaves the screen at once and the server a few seconds later. */
import { useSyncExternalStore } from 'react'
import { deleteDocument } from '@/api/documents'

export const UNDO_MS = 7_000
let hidden: ReadonlySet<string> = new Set()
const timers = new Map<string, ReturnType<typeof setTimeout>>()
const watchers = new Set<() => void>()

function change(next: ReadonlySet<string>): void {
  hidden = next
  for (const tell of watchers) tell()
}

function show(id: string): void {
  const next = new Set(hidden)
  next.delete(id)
  change(next)
}

export function deleteLater(id: string, onGone: () => void, onProblem: (error: unknown) => void): void {
  change(new Set(hidden).add(id))
  const commit = async () => {
    timers.delete(id)
    try {
      await deleteDocument(id)
      onGone()
    } catch (error) {
      onProblem(error)
      show(id)
    }
  }
  timers.set(id, setTimeout(commit, UNDO_MS))
}

export function undoDelete(id: string): void {
  clearTimeout(timers.get(id))
  timers.delete(id)
  show(id)
}

// Closing the page is not changing one's mind.
window.addEventListener('pagehide', () => {
  for (const id of timers.keys()) void fetch(`/api/documents/${id}`, { method: 'DELETE', keepalive: true })
})

export function useHidden(): ReadonlySet<string> {
  return useSyncExternalStore(
    (tell) => {
      watchers.add(tell)
      return () => watchers.delete(tell)
    },
    () => hidden,
  )
}
