/** Follow a Server-Sent Events stream to its end, over reconnections, each message once. Knows nothing of React. */
import { EventSourceParserStream } from 'eventsource-parser/stream'
import { ApiProblem, mayPass } from '@/lib/problems'
import { problemOf } from './client'

export interface SseMessage {
  id: number
  data: string
}

const FIRST_WAIT_MS = 400
const LONGEST_WAIT_MS = 8_000
/** The server pings each 15 s; a stream that is silent for longer is dead, even when no error says so. */
const SILENCE_MS = 45_000

/** Messages after number `after`, in order, without gaps or repeats, until [DONE] or the signal aborts. */
export async function* follow(url: string, signal: AbortSignal, after = 0): AsyncGenerator<SseMessage> {
  let last = after
  let wait = FIRST_WAIT_MS
  while (!signal.aborted) {
    try {
      for await (const message of connect(url, signal, last)) {
        if (message.data === '[DONE]') return
        if (message.id <= last) continue
        last = message.id
        wait = FIRST_WAIT_MS
        yield message
      }
    } catch (error) {
      if (signal.aborted) return
      if (error instanceof ApiProblem && !mayPass(error)) throw error
    }
    await pause(wait, signal)
    wait = Math.min(wait * 2, LONGEST_WAIT_MS)
  }
}

async function* connect(url: string, signal: AbortSignal, last: number): AsyncGenerator<SseMessage> {
  const silence = new AbortController()
  let timer = setTimeout(() => silence.abort(), SILENCE_MS)
  const response = await fetch(url, {
    headers: { Accept: 'text/event-stream', ...(last > 0 ? { 'Last-Event-ID': String(last) } : {}) },
    signal: AbortSignal.any([signal, silence.signal]),
  })
  try {
    yield* messagesOf(response, () => {
      clearTimeout(timer)
      timer = setTimeout(() => silence.abort(), SILENCE_MS)
    })
  } finally {
    clearTimeout(timer)
    silence.abort()
  }
}

/** The messages of one answer, as they come; `onBytes` is told of every sign of life, pings too. */
export async function* messagesOf(response: Response, onBytes: () => void = () => {}): AsyncGenerator<SseMessage> {
  if (!response.ok || !response.body) throw await problemOf(response)
  const alive = new TransformStream<Uint8Array, Uint8Array>({
    transform(bytes, controller) {
      onBytes()
      controller.enqueue(bytes)
    },
  })
  const reader = response.body
    .pipeThrough(alive)
    .pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>)
    .pipeThrough(new EventSourceParserStream())
    .getReader()
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    yield { id: Number(value.id ?? 0), data: value.data }
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })
}
