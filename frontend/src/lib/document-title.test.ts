import { expect, test } from 'vitest'
import { ownTitle, titleOf } from './document-title'

test('a document goes by its title', () => {
  expect(titleOf({ title: ' The  Tides ', name: 'a.pdf' })).toBe('The Tides')
  expect(titleOf({ title: '潮汐', name: 'a.pdf' })).toBe('潮汐')
})

test.each(['', 'untitled', 'Microsoft Word - draft3.doc', 'report.docx', '2019', 'Slide 1'])(
  'the title %j tells nothing, so the file’s name stands in',
  (title) => {
    expect(ownTitle({ title, name: 'tides.pdf' })).toBe('')
    expect(titleOf({ title, name: 'tides.pdf' })).toBe('tides')
  },
)
