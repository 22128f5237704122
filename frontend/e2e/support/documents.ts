import { existsSync } from 'node:fs'
import { join } from 'node:path'

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
