/** OCR of a file that need not be in the library: its pages as they are read. Closing the stream stops the work. */
import type { Problem } from '@/lib/problems'
import { messagesOf } from './sse'
import type { Box } from './types'

export const ENGINES = ['auto', 'rapidocr', 'tesseract'] as const
export type Engine = (typeof ENGINES)[number]

export interface ScanWord {
  text: string
  /** Where the word stands in the page's text, in characters. */
  start: number
  end: number
  box: Box
  confidence: number
}

export interface ScanPage {
  number: number
  width_pt: number
  height_pt: number
  text: string
  words: ScanWord[]
  confidence: number
  engine: string
  language: string
  turned: number
  skew: number
  seconds: number
  /** The text after a correction by the model, where one is set and was accepted. */
  corrected: string | null
  /** A data: address. */
  picture: string | null
}

export type ScanEvent =
  | {
      type: 'data-ocr-file'
      data: { name: string; kind: string; page_count: number; pages: number[]; engines: string[] }
    }
  | { type: 'data-ocr-page'; data: ScanPage }
  | { type: 'data-ocr-problem'; data: Problem & { page: number } }
  | { type: 'finish' }
  | { type: 'error'; errorText: string; data?: Problem }

export async function* readScan(file: File, engine: Engine, signal: AbortSignal): AsyncGenerator<ScanEvent> {
  const body = new FormData()
  body.append('engine', engine)
  body.append('pictures', 'true')
  body.append('file', file)
  const response = await fetch('/api/ocr', { method: 'POST', body, signal, headers: { Accept: 'text/event-stream' } })
  for await (const { data } of messagesOf(response)) {
    if (data === '[DONE]') return
    yield JSON.parse(data) as ScanEvent
  }
}
