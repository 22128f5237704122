/** A conversation as turns: a question and what answers it. */
import type { Message } from '@/api/types'

export interface Turn {
  question: Message
  answer: Message | null
  /** The run to follow while the answer grows, or to look into afterwards. */
  runId: string | null
  live: boolean
}

export function turnsOf(messages: readonly Message[], activeRunId: string | null): Turn[] {
  const turns: Turn[] = []
  for (const message of messages) {
    if (message.role === 'user') {
      turns.push({ question: message, answer: null, runId: message.run_id, live: false })
      continue
    }
    const last = turns.at(-1)
    if (last) turns[turns.length - 1] = { ...last, answer: message, runId: message.run_id ?? last.runId }
  }
  const last = turns.at(-1)
  if (last && activeRunId && (last.runId === null || last.runId === activeRunId)) {
    turns[turns.length - 1] = { ...last, runId: activeRunId, live: true }
  }
  return turns
}
