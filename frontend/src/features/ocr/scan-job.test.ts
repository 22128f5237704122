import { expect, test } from 'vitest'
import type { ScanPage } from '@/api/ocr'
import { type ScanJob, step } from './scan-job'

const job: ScanJob = {
  file: new File(['x'], 'scan.png'),
  phase: 'sending',
  expected: [],
  pages: [],
  problems: [],
  problem: null,
}
const page = { number: 1, text: 'words' } as ScanPage

test('a scan grows page by page, and a page that fails stops nothing', () => {
  const begun = step(job, {
    type: 'data-ocr-file',
    data: { name: 'scan.png', kind: 'png', page_count: 2, pages: [1, 2], engines: ['rapidocr'] },
  })
  const read = step(begun, { type: 'data-ocr-page', data: page })
  const missed = step(read, {
    type: 'data-ocr-problem',
    data: { page: 2, code: 'ocr_failed', message: '', advice: '' },
  })
  const ended = step(missed, { type: 'finish' })
  expect(ended).toMatchObject({ phase: 'done', expected: [1, 2], pages: [page], problems: [{ page: 2 }] })
})

test('an error of the whole file is kept with what was read before it', () => {
  const failed = step(step(job, { type: 'data-ocr-page', data: page }), { type: 'error', errorText: 'gone' })
  expect(failed).toMatchObject({ phase: 'failed', pages: [page], problem: { code: 'internal', message: 'gone' } })
})
