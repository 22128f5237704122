import { describe, expect, test } from 'vitest'
import { placeMarks, shortName } from './citation-marks'

describe('placeMarks', () => {
  test('replaces each mark by its number and keeps what it said', () => {
    const { text, marks } = placeMarks('One [a_b*c.pdf p.3] and two [报告 2018.pdf p.12].')
    expect(text).toBe('One \uE0000\uE001 and two \uE0001\uE001.')
    expect(marks).toEqual([
      { name: 'a_b*c.pdf', page: 3 },
      { name: '报告 2018.pdf', page: 12 },
    ])
  })

  test('leaves links, footnotes and half a mark alone', () => {
    const text = '[link](https://example.org) [^1] [name p.'
    expect(placeMarks(text)).toEqual({ text, marks: [] })
  })

  test('an answer cannot smuggle in a placeholder of its own', () => {
    expect(placeMarks('\uE0007\uE001 x').text).toBe('7 x')
  })
})

test('shortName drops the ending and cuts between characters', () => {
  expect(shortName('tides.pdf')).toBe('tides')
  expect(shortName('𠮷𠮷𠮷𠮷.pdf', 3)).toBe('𠮷𠮷…')
})
