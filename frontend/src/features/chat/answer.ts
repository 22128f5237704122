/** An answer as it grows: one pure step per event. The text of the last round is the answer; earlier rounds think aloud. */
import type { AnswerEvent, Budget } from '@/api/answer-stream'
import type { Citation, MemoryUsed, PageRef, Usage } from '@/api/types'
import type { Problem } from '@/lib/problems'

export interface ToolCall {
  id: string
  name: string
  input: unknown
  state: 'running' | 'done' | 'failed'
  summary: string
  pages: PageRef[]
  cut: boolean
  seconds: number
}

export interface Round {
  /** From 1; a round that is run again after a restart keeps its number. */
  number: number
  text: string
  reasoning: string
  calls: ToolCall[]
  ended: boolean
}

export interface Answer {
  phase: 'waiting' | 'growing' | 'done' | 'stopped' | 'failed'
  /** Set by the closing event: the whole text, with its marks. */
  final: string | null
  rounds: Round[]
  citations: Citation[]
  memory: MemoryUsed[]
  usage: Usage | null
  budget: Budget | null
  mode: string | null
  model: string | null
  offlineReason: string | null
  limit: string | null
  found: boolean
  problem: Problem | null
}

export const emptyAnswer: Answer = {
  phase: 'waiting',
  final: null,
  rounds: [],
  citations: [],
  memory: [],
  usage: null,
  budget: null,
  mode: null,
  model: null,
  offlineReason: null,
  limit: null,
  found: true,
  problem: null,
}

export function textOf(answer: Answer): string {
  return answer.final ?? answer.rounds.at(-1)?.text ?? ''
}

export function isOver(answer: Answer): boolean {
  return answer.phase === 'done' || answer.phase === 'stopped' || answer.phase === 'failed'
}

export function grow(answer: Answer, event: AnswerEvent): Answer {
  switch (event.type) {
    case 'start':
      return { ...answer, phase: 'growing' }
    case 'data-run':
      return { ...answer, mode: event.data.mode, model: event.data.model }
    case 'data-memory':
      return { ...answer, memory: event.data.items }
    case 'start-step':
      return { ...answer, rounds: [...answer.rounds, newRound(answer.rounds.length + 1)] }
    case 'data-round':
      return numberRound(answer, event.data.round)
    case 'finish-step':
      return inLastRound(answer, (round) => ({ ...round, ended: true }))
    case 'text-delta':
      return inLastRound(answer, (round) => ({ ...round, text: round.text + event.delta }))
    case 'reasoning-delta':
      return inLastRound(answer, (round) => ({ ...round, reasoning: round.reasoning + event.delta }))
    case 'text-start':
    case 'text-end':
    case 'reasoning-start':
    case 'reasoning-end':
      return answer
    case 'data-withdrawn':
      return withdraw(answer, event.data.round)
    case 'tool-input-available':
      return inLastRound(answer, (round) => ({ ...round, calls: [...round.calls, startedCall(event)] }))
    case 'tool-output-available':
      return endCall(answer, event.toolCallId, { ...event.output, state: 'done' })
    case 'tool-output-error':
      return endCall(answer, event.toolCallId, { state: 'failed', summary: event.errorText })
    case 'data-usage':
      return { ...answer, usage: event.data }
    case 'data-budget':
      return { ...answer, budget: event.data }
    case 'data-mode':
      return { ...answer, mode: event.data.mode, offlineReason: event.data.code }
    case 'data-citation':
      return { ...answer, citations: withCitation(answer.citations, event.data.index, event.data.citation) }
    case 'data-answer':
      return {
        ...answer,
        final: event.data.answer,
        citations: event.data.citations,
        mode: event.data.mode,
        found: event.data.found,
        limit: event.data.limit,
        offlineReason: event.data.offline_reason,
        usage: event.data.usage,
      }
    case 'finish':
      return { ...answer, phase: 'done' }
    case 'abort':
      return { ...answer, phase: 'stopped' }
    case 'error':
      return {
        ...answer,
        phase: 'failed',
        problem: event.data ?? { code: 'internal', message: event.errorText, advice: '' },
      }
    default:
      return unknown(event, answer)
  }
}

/** A newer server may send chunks this page does not know; the type check still wants each known one handled. */
function unknown(_event: never, answer: Answer): Answer {
  return answer
}

function inLastRound(answer: Answer, change: (round: Round) => Round): Answer {
  const rounds = answer.rounds.length > 0 ? answer.rounds : [newRound(1)]
  const last = rounds.at(-1) as Round
  return {
    ...answer,
    phase: answer.phase === 'waiting' ? 'growing' : answer.phase,
    rounds: rounds.with(-1, change(last)),
  }
}

function newRound(number: number): Round {
  return { number, text: '', reasoning: '', calls: [], ended: false }
}

/** The last round has this number; an earlier one with the same was cut off and is run again. */
function numberRound(answer: Answer, number: number): Answer {
  const last = { ...(answer.rounds.at(-1) ?? newRound(number)), number }
  return { ...answer, rounds: [...answer.rounds.slice(0, -1).filter((round) => round.number < number), last] }
}

function withdraw(answer: Answer, number: number): Answer {
  return {
    ...answer,
    citations: [],
    rounds: answer.rounds.map((round) => (round.number === number ? { ...round, text: '' } : round)),
  }
}

function startedCall(event: Extract<AnswerEvent, { type: 'tool-input-available' }>): ToolCall {
  return {
    id: event.toolCallId,
    name: event.toolName,
    input: event.input,
    state: 'running',
    summary: '',
    pages: [],
    cut: false,
    seconds: 0,
  }
}

function endCall(answer: Answer, id: string, end: Partial<ToolCall>): Answer {
  return {
    ...answer,
    rounds: answer.rounds.map((round) =>
      round.calls.some((call) => call.id === id)
        ? { ...round, calls: round.calls.map((call) => (call.id === id ? { ...call, ...end } : call)) }
        : round,
    ),
  }
}

function withCitation(citations: readonly Citation[], index: number, citation: Citation): Citation[] {
  const next = [...citations]
  next[index] = citation
  return next
}

/** The share of the budget that is left, by whatever runs out first; null when nothing is limited. */
export function budgetLeft({ used, limit }: Budget): number | null {
  const shares = Object.entries(limit)
    .filter(([, most]) => most > 0)
    .map(([name, most]) => 1 - (used[name] ?? 0) / most)
  return shares.length > 0 ? Math.max(0, Math.min(...shares)) : null
}

/** What the answer was reminded of; what it was told to forget is not among it. */
export function memoryTold(answer: Answer): MemoryUsed[] {
  return answer.memory.filter((item) => item.reason !== 'forgotten')
}

/** Pages that were read, in the order they were first opened, each once. Pages a search found are not read yet. */
export function pagesRead(answer: Answer): PageRef[] {
  const seen = new Map<string, PageRef>()
  for (const round of answer.rounds) {
    for (const call of round.calls) {
      if (call.name === 'search_pages') continue
      for (const page of call.pages) seen.set(`${page.document_id}:${page.page}`, page)
    }
  }
  return [...seen.values()]
}
