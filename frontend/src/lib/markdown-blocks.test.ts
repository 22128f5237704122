import { describe, expect, test } from 'vitest'
import { dollarMath, splitBlocks } from './markdown-blocks'

describe('splitBlocks', () => {
  test('cuts at blank lines and loses nothing', () => {
    const text = '# Title\n\nFirst\nline\n\n\nSecond'
    expect(splitBlocks(text)).toEqual(['# Title\n', 'First\nline\n\n', 'Second'])
    expect(splitBlocks(text).join('\n')).toBe(text)
  })

  test('keeps fenced code, display math and lists whole', () => {
    expect(splitBlocks('```\na\n\nb\n```\n\nafter')).toHaveLength(2)
    expect(splitBlocks('$$\na\n\nb\n$$\n\nafter')).toHaveLength(2)
    expect(splitBlocks('1. one\n\n2. two\n\n   more\n\nafter')).toHaveLength(2)
  })

  test('earlier blocks stay as they are while text grows', () => {
    const text = 'A\n\n- b\n- c\n\n```js\nlet x\n```\n\nEnd of it'
    const whole = splitBlocks(text)
    for (let end = 1; end < text.length; end++) {
      const grown = splitBlocks(text.slice(0, end))
      for (const [index, block] of grown.slice(0, -1).entries()) expect(whole[index]).toBe(block)
    }
  })
})

describe('dollarMath', () => {
  test('turns LaTeX brackets into dollars', () => {
    expect(dollarMath('so \\(a+b\\) and \\[c\\]')).toBe('so $a+b$ and \n$$\nc\n$$\n')
  })

  test('leaves code alone', () => {
    expect(dollarMath('`\\(x\\)` and\n```\n\\[y\\]\n```')).toBe('`\\(x\\)` and\n```\n\\[y\\]\n```')
  })

  test('keeps $& and other replacement signs of the formula', () => {
    expect(dollarMath('\\(a $& b\\)')).toBe('$a $& b$')
  })
})
