/** The scan that is being read, outside React: it goes on while its reader looks at another screen. */
import { useSyncExternalStore } from 'react'
import { type Engine, readScan, type ScanEvent, type ScanPage } from '@/api/ocr'
import { asProblem, type Problem } from '@/lib/problems'

export interface ScanJob {
  file: File
  phase: 'sending' | 'reading' | 'done' | 'stopped' | 'failed'
  /** Numbers of the pages that will be read. */
  expected: number[]
  pages: ScanPage[]
  problems: (Problem & { page: number })[]
  problem: Problem | null
}

let job: ScanJob | null = null
let end: AbortController | null = null
const watchers = new Set<() => void>()

function change(next: ScanJob | null): void {
  job = next
  for (const tell of watchers) tell()
}

/** One step of the job for an event of its stream. */
export function step(before: ScanJob, event: ScanEvent): ScanJob {
  switch (event.type) {
    case 'data-ocr-file':
      return { ...before, phase: 'reading', expected: event.data.pages }
    case 'data-ocr-page':
      return { ...before, pages: [...before.pages, event.data] }
    case 'data-ocr-problem':
      return { ...before, problems: [...before.problems, event.data] }
    case 'finish':
      return { ...before, phase: 'done' }
    case 'error':
      return {
        ...before,
        phase: 'failed',
        problem: event.data ?? { code: 'internal', message: event.errorText, advice: '' },
      }
    default:
      return before
  }
}

export async function startScan(file: File, engine: Engine): Promise<void> {
  end?.abort()
  const ours = new AbortController()
  end = ours
  change({ file, phase: 'sending', expected: [], pages: [], problems: [], problem: null })
  try {
    for await (const event of readScan(file, engine, ours.signal)) {
      if (end !== ours || !job) return
      change(step(job, event))
    }
    if (end === ours && job && job.phase !== 'failed') change({ ...job, phase: 'done' })
  } catch (error) {
    if (end === ours && job) change({ ...job, phase: 'failed', problem: asProblem(error) })
  }
}

/** Stop reading and keep what was read. */
export function stopScan(): void {
  end?.abort()
  end = null
  if (job) change({ ...job, phase: 'stopped' })
}

export function leaveScan(): void {
  end?.abort()
  end = null
  change(null)
}

function subscribe(tell: () => void): () => void {
  watchers.add(tell)
  return () => watchers.delete(tell)
}

export function useScan(): ScanJob | null {
  return useSyncExternalStore(subscribe, () => job)
}
