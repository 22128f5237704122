import { expect, test } from 'vitest'
import { reflow } from './reflow'

test('lines of prose run on, and words broken at the margin are whole again', () => {
  const text =
    'In light of the interconnected finan-\ncial system the Board participates in\ninternational bodies.\n\nNext.'
  expect(reflow(text)).toBe(
    'In light of the interconnected financial system the Board participates in international bodies.\n\nNext.',
  )
})

test('Chinese lines join without a space', () => {
  const line = '加入的文件先保存下来编号由文件内容算出内容相同就是同一份文档与文件名无关'
  expect(reflow(`${line}\n${line}`)).toBe(line + line)
})

test.each([
  'Revenue 2022  2023\nEurope   11.5  12.7\nAsia      4.0   5.2',
  '- a point that is quite long to be a line\n- another point that is as long as it is',
  'Short heading\nA line of text that is much longer than the heading above it',
])('rows, lists and headings stay as they are', (text) => {
  expect(reflow(text)).toBe(text)
})
