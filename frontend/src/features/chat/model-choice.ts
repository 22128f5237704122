/** Which model the next question goes to: the one that is set, another of the same endpoint, or none. Kept in this browser. */
import { useSyncExternalStore } from 'react'

export type ModelChoice = { kind: 'set' } | { kind: 'named'; name: string } | { kind: 'offline' }

const KEY = 'docmind.model'
const OFFLINE = 'offline:'
const NAMED = 'model:'
const watchers = new Set<() => void>()

function readChoice(saved: string | null): ModelChoice {
  if (saved === OFFLINE) return { kind: 'offline' }
  if (saved?.startsWith(NAMED)) return { kind: 'named', name: saved.slice(NAMED.length) }
  return { kind: 'set' }
}

let choice = readChoice(localStorage.getItem(KEY))

export function chooseModel(next: ModelChoice): void {
  choice = next
  if (next.kind === 'set') localStorage.removeItem(KEY)
  else localStorage.setItem(KEY, next.kind === 'offline' ? OFFLINE : NAMED + next.name)
  for (const tell of watchers) tell()
}

/** What a request says of the choice. */
export function asked(model: ModelChoice): { model?: string; offline?: boolean } {
  if (model.kind === 'offline') return { offline: true }
  return model.kind === 'named' ? { model: model.name } : {}
}

function subscribe(tell: () => void): () => void {
  watchers.add(tell)
  return () => watchers.delete(tell)
}

export function useModelChoice(): ModelChoice {
  return useSyncExternalStore(subscribe, () => choice)
}
