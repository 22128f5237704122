/** Files on their way to the server, outside React: they go on while their reader looks at another screen. */
import { useSyncExternalStore } from 'react'
import { uploadFile } from '@/api/documents'
import { asProblem, type Problem } from '@/lib/problems'

export interface Upload {
  id: number
  name: string
  share: number
  state: 'queued' | 'sending' | 'failed'
  problem: Problem | null
  file: File
}

export interface UploadDone {
  name: string
  documentName: string
  duplicate: boolean
}

const AT_ONCE = 2
let uploads: readonly Upload[] = []
let nextId = 1
const watchers = new Set<() => void>()

function change(next: readonly Upload[]): void {
  uploads = next
  for (const tell of watchers) tell()
}

function patch(id: number, part: Partial<Upload>): void {
  change(uploads.map((item) => (item.id === id ? { ...item, ...part } : item)))
}

export function addFiles(files: readonly File[], onDone: (done: UploadDone) => void): void {
  change([
    ...uploads,
    ...files.map((file) => ({
      id: nextId++,
      name: file.name,
      share: 0,
      state: 'queued' as const,
      problem: null,
      file,
    })),
  ])
  pump(onDone)
}

function pump(onDone: (done: UploadDone) => void): void {
  const sending = uploads.filter((item) => item.state === 'sending').length
  for (const item of uploads.filter(({ state }) => state === 'queued').slice(0, AT_ONCE - sending)) {
    void send(item, onDone)
  }
}

async function send(item: Upload, onDone: (done: UploadDone) => void): Promise<void> {
  patch(item.id, { state: 'sending' })
  try {
    const { document, duplicate } = await uploadFile(item.file, {
      onProgress: (share) => patch(item.id, { share }),
    })
    change(uploads.filter(({ id }) => id !== item.id))
    onDone({ name: item.name, documentName: document.name, duplicate })
  } catch (error) {
    patch(item.id, { state: 'failed', problem: asProblem(error) })
  }
  pump(onDone)
}

export function dismissUpload(id: number): void {
  change(uploads.filter((item) => item.id !== id))
}

export function retryUpload(id: number, onDone: (done: UploadDone) => void): void {
  patch(id, { state: 'queued', share: 0, problem: null })
  pump(onDone)
}

function subscribe(tell: () => void): () => void {
  watchers.add(tell)
  return () => watchers.delete(tell)
}

export function useUploads(): readonly Upload[] {
  return useSyncExternalStore(subscribe, () => uploads)
}
