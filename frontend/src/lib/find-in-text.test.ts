import { expect, test } from 'vitest'
import { findQuote } from './find-in-text'

const cut = (pieces: readonly string[], quote: string) => {
  const found = findQuote(pieces, quote)
  if (!found) return null
  const { start, end } = found
  if (start.piece === end.piece) return pieces[start.piece]?.slice(start.offset, end.offset)
  return [
    pieces[start.piece]?.slice(start.offset),
    ...pieces.slice(start.piece + 1, end.piece),
    pieces[end.piece]?.slice(0, end.offset),
  ].join('')
}

test('a quote is found across pieces, whatever the white space', () => {
  expect(cut(['The tide ', 'rises', ' twice a day.'], 'tide\nrises  twice')).toBe('tide rises twice')
})

test('cells need no bars between them', () => {
  expect(cut(['Port', 'Height', 'Brest', '7.3'], 'Brest | 7.3')).toBe('Brest7.3')
})

test('case does not count and Chinese is found', () => {
  expect(cut(['Spring TIDES occur'], 'spring tides')).toBe('Spring TIDES')
  expect(cut(['大潮在', '新月'], '潮在新')).toBe('潮在新')
})

test('what is not there is not found', () => {
  expect(findQuote(['abc'], 'abd')).toBeNull()
  expect(findQuote(['abc'], ' | ')).toBeNull()
})
