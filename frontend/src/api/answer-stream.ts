/** The events of a run, from its stream. Resumes by number; knows nothing of React. */
import type { Problem } from '@/lib/problems'
import { follow } from './sse'
import type { Citation, MemoryUsed, PageRef, Usage } from './types'

export type AnswerEvent =
  | { type: 'start'; messageId: string }
  | { type: 'data-run'; data: { mode: string; model: string } }
  | { type: 'data-memory'; data: { items: MemoryUsed[] } }
  | { type: 'start-step' }
  | { type: 'data-round'; data: { round: number } }
  | { type: 'finish-step' }
  | { type: 'reasoning-start' | 'reasoning-end'; id: string }
  | { type: 'reasoning-delta'; id: string; delta: string }
  | { type: 'text-start' | 'text-end'; id: string }
  | { type: 'text-delta'; id: string; delta: string }
  | { type: 'data-withdrawn'; data: { round: number; reason: string } }
  | { type: 'tool-input-available'; toolCallId: string; toolName: string; input: unknown }
  | { type: 'tool-output-available'; toolCallId: string; output: ToolOutput }
  | { type: 'tool-output-error'; toolCallId: string; errorText: string }
  | { type: 'data-usage'; data: Usage }
  | { type: 'data-budget'; data: Budget }
  | { type: 'data-mode'; data: { mode: string; code: string; reason: string } }
  | { type: 'data-citation'; data: { index: number; citation: Citation } }
  | { type: 'data-answer'; data: FinalAnswer }
  | { type: 'finish' }
  | { type: 'abort' }
  | { type: 'error'; errorText: string; data?: Problem }

export interface ToolOutput {
  summary: string
  pages: PageRef[]
  cut: boolean
  seconds: number
}

export interface Budget {
  used: Record<string, number>
  limit: Record<string, number>
}

export interface FinalAnswer {
  answer: string
  citations: Citation[]
  mode: string
  found: boolean
  rounds: number
  limit: string | null
  offline_reason: string | null
  usage: Usage
}

export async function* readAnswer(runId: string, signal: AbortSignal): AsyncGenerator<AnswerEvent> {
  for await (const { data } of follow(`/api/runs/${runId}/events`, signal)) {
    yield JSON.parse(data) as AnswerEvent
  }
}
