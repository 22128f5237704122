import { existsSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'

/** A real book where the shared data is at hand, else a small PDF of the repository. */
const book = join(import.meta.dirname, '../../../../shared/data/corpus/mupdf_explored.pdf')
const small = join(import.meta.dirname, '../files/tides.pdf')

export const sample = existsSync(book)
  ? {
      path: book,
      name: 'mupdf_explored.pdf',
      section: 'What is MuPDF?',
      question: 'What is MuPDF, a portable C library?',
    }
  : { path: small, name: 'tides.pdf', section: 'Spring tides', question: 'When do spring tides occur?' }

/** Puts a file into the library by the API and waits until it can be read. */
export async function addDocument(url: string, path: string): Promise<string> {
  const body = new FormData()
  body.append('file', new File([readFileSync(path)], basename(path), { type: 'application/pdf' }))
  const sent = await fetch(`${url}/api/documents`, { method: 'POST', body })
  const { document } = (await sent.json()) as { document: { id: string } }
  for (let tries = 0; tries < 300; tries++) {
    const state = (await (await fetch(`${url}/api/documents/${document.id}`)).json()) as { status: string }
    if (state.status.startsWith('ready')) return document.id
    if (state.status === 'failed') throw new Error(`${path} failed`)
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
  throw new Error(`${path} is not ready`)
}
