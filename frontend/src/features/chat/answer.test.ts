import { expect, test } from 'vitest'
import type { AnswerEvent } from '@/api/answer-stream'
import { type Answer, budgetLeft, emptyAnswer, grow, pagesRead, textOf } from './answer'

const read = (...events: AnswerEvent[]): Answer => events.reduce(grow, emptyAnswer)
const citation = {
  mark: '[a.pdf p.2]',
  document_id: 'a',
  name: 'a.pdf',
  page: 2,
  page_label: 'ii',
  quote: 'words',
  verified: true,
  status: 'verified',
  boxes: [],
}

test('the text of the last round is the answer', () => {
  const answer = read(
    { type: 'start', messageId: 'r' },
    { type: 'start-step' },
    { type: 'text-delta', id: 't1', delta: 'Let me look.' },
    { type: 'finish-step' },
    { type: 'start-step' },
    { type: 'text-delta', id: 't2', delta: 'It is ' },
    { type: 'text-delta', id: 't2', delta: 'so.' },
  )
  expect(textOf(answer)).toBe('It is so.')
  expect(answer.rounds[0]?.text).toBe('Let me look.')
})

test('a withdrawn round is forgotten, the others stay', () => {
  const answer = read(
    { type: 'start-step' },
    { type: 'data-round', data: { round: 1 } },
    { type: 'text-delta', id: 't1', delta: 'first' },
    { type: 'start-step' },
    { type: 'data-round', data: { round: 2 } },
    { type: 'text-delta', id: 't2', delta: 'wrong' },
    { type: 'data-withdrawn', data: { round: 2, reason: 'printed_call' } },
    { type: 'text-delta', id: 't2', delta: 'right' },
  )
  expect(answer.rounds.map((round) => round.text)).toEqual(['first', 'right'])
})

test('a round that is run again after a restart takes the place of the one cut off', () => {
  const answer = read(
    { type: 'start-step' },
    { type: 'data-round', data: { round: 1 } },
    { type: 'text-delta', id: 't1', delta: 'half' },
    { type: 'start-step' },
    { type: 'data-round', data: { round: 1 } },
    { type: 'text-delta', id: 't1', delta: 'whole' },
  )
  expect(answer.rounds.map((round) => round.text)).toEqual(['whole'])
})

test('tool calls end by id, also when several run at once', () => {
  const answer = read(
    { type: 'start-step' },
    { type: 'tool-input-available', toolCallId: 'c1', toolName: 'search_pages', input: { query: 'x' } },
    { type: 'tool-input-available', toolCallId: 'c2', toolName: 'get_page_content', input: { pages: '2' } },
    {
      type: 'tool-output-available',
      toolCallId: 'c2',
      output: { summary: '', pages: [{ document_id: 'a', name: 'a.pdf', page: 2 }], cut: false, seconds: 0.1 },
    },
    { type: 'tool-output-error', toolCallId: 'c1', errorText: 'no such document' },
  )
  expect(answer.rounds[0]?.calls.map((call) => call.state)).toEqual(['failed', 'done'])
  expect(pagesRead(answer)).toHaveLength(1)
})

test('citations may come in any order and the closing event has the last word', () => {
  const early = read({ type: 'start-step' }, { type: 'data-citation', data: { index: 1, citation } })
  expect(early.citations[0]).toBeUndefined()
  expect(early.citations[1]).toEqual(citation)
  const done = grow(
    grow(early, {
      type: 'data-answer',
      data: {
        answer: 'Whole [a.pdf p.2].',
        citations: [citation],
        mode: 'agent',
        found: true,
        rounds: 1,
        limit: null,
        offline_reason: null,
        usage: {
          input_tokens: 1,
          output_tokens: 1,
          model_calls: 1,
          tool_calls: 0,
          pages_read: 0,
          vision_calls: 0,
          estimated: false,
          cost: null,
        },
      },
    }),
    { type: 'finish' },
  )
  expect(done.phase).toBe('done')
  expect(textOf(done)).toBe('Whole [a.pdf p.2].')
  expect(done.citations).toEqual([citation])
})

test('a chunk of a newer server changes nothing', () => {
  const answer = read({ type: 'start-step' }, { type: 'data-novelty', data: 1 } as unknown as AnswerEvent)
  expect(answer.rounds).toHaveLength(1)
})

test('the budget is as far gone as the part of it that runs out first', () => {
  expect(budgetLeft({ used: { rounds: 2, pages: 30 }, limit: { rounds: 32, pages: 40 } })).toBe(0.25)
  expect(budgetLeft({ used: { rounds: 40 }, limit: { rounds: 32 } })).toBe(0)
  expect(budgetLeft({ used: {}, limit: {} })).toBeNull()
})
