/**
 * Answers that are growing, outside React: a stream goes on while its reader looks at another screen for a moment,
 * and two views of one answer share one stream. Views are told at most every few frames, whatever the stream's pace.
 */
import { useCallback, useSyncExternalStore } from 'react'
import { readAnswer } from '@/api/answer-stream'
import { asProblem } from '@/lib/problems'
import { type Answer, emptyAnswer, grow, isOver } from './answer'

interface Live {
  answer: Answer
  shown: Answer
  watchers: Set<() => void>
  end: AbortController | null
  timer: ReturnType<typeof setTimeout> | undefined
  leaving: ReturnType<typeof setTimeout> | undefined
}

const live = new Map<string, Live>()
const SHORT_PAUSE_MS = 50
const LONG_PAUSE_MS = 120
const LONG_TEXT = 20_000
const KEEP_OPEN_MS = 10_000
const KEEP_ANSWERS = 40

function liveOf(runId: string): Live {
  let found = live.get(runId)
  if (!found) {
    found = {
      answer: emptyAnswer,
      shown: emptyAnswer,
      watchers: new Set(),
      end: null,
      timer: undefined,
      leaving: undefined,
    }
    live.set(runId, found)
    forgetOldest()
  }
  return found
}

function forgetOldest(): void {
  if (live.size <= KEEP_ANSWERS) return
  for (const [id, item] of live) {
    if (item.watchers.size === 0 && isOver(item.answer)) {
      live.delete(id)
      return
    }
  }
}

function show(item: Live): void {
  clearTimeout(item.timer)
  item.timer = undefined
  item.shown = item.answer
  for (const tell of item.watchers) tell()
}

function later(item: Live): void {
  if (item.timer !== undefined) return
  const length = item.answer.rounds.at(-1)?.text.length ?? 0
  item.timer = setTimeout(() => show(item), length > LONG_TEXT ? LONG_PAUSE_MS : SHORT_PAUSE_MS)
}

async function pump(runId: string, item: Live): Promise<void> {
  const end = new AbortController()
  item.end = end
  item.answer = emptyAnswer
  try {
    for await (const event of readAnswer(runId, end.signal)) {
      item.answer = grow(item.answer, event)
      later(item)
    }
    if (!end.signal.aborted && !isOver(item.answer)) item.answer = { ...item.answer, phase: 'done' }
  } catch (error) {
    item.answer = { ...item.answer, phase: 'failed', problem: asProblem(error) }
  }
  if (item.end === end) item.end = null
  show(item)
}

function watch(runId: string, tell: () => void): () => void {
  const item = liveOf(runId)
  item.watchers.add(tell)
  clearTimeout(item.leaving)
  if (!item.end && !isOver(item.answer)) void pump(runId, item)
  return () => {
    item.watchers.delete(tell)
    if (item.watchers.size > 0) return
    item.leaving = setTimeout(() => {
      item.end?.abort()
      item.end = null
    }, KEEP_OPEN_MS)
  }
}

const nothing = () => {}

/** The answer of a run as far as it has come, or null without a run. Opens its stream, replayed from the start. */
export function useLiveAnswer(runId: string | null): Answer | null {
  const subscribe = useCallback((tell: () => void) => (runId ? watch(runId, tell) : nothing), [runId])
  const snapshot = useCallback(() => (runId ? liveOf(runId).shown : null), [runId])
  return useSyncExternalStore(subscribe, snapshot)
}
