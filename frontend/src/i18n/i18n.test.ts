import { expect, test } from 'vitest'
import en from './en.json'
import zh from './zh.json'

function names(words: object, before = ''): string[] {
  return Object.entries(words).flatMap(([name, value]) =>
    typeof value === 'string' ? [before + name] : names(value, `${before}${name}.`),
  )
}

function slots(words: object): Record<string, string[]> {
  const flat: Record<string, string[]> = {}
  const walk = (part: object, before: string) => {
    for (const [name, value] of Object.entries(part)) {
      if (typeof value === 'string') flat[before + name] = (value.match(/\{\{\w+\}\}/g) ?? []).sort()
      else walk(value, `${before}${name}.`)
    }
  }
  walk(words, '')
  return flat
}

test('both languages name the same things', () => {
  expect(names(zh).sort()).toEqual(names(en).sort())
})

test('both languages fill the same slots', () => {
  expect(slots(zh)).toEqual(slots(en))
})
