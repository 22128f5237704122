/** The figures of docs/decisions/page.md, measured: `npm run bars`. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, CDPSession, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { openBrowser } from '../support/browser'
import { type Answers, json, serveFake, sse } from './fake-server'
import { chat, documentOf, HOSTILE, messageOf, nodesOf } from './made-up'

const MANY_PAGES = join(import.meta.dirname, '../../../../shared/data/made/many_pages_5000.pdf')
const health = { status: 'ok', version: '0', documents: 0, model: { configured: true, name: 'm' } }
let browser: Browser
let page: Page
let session: CDPSession
let stop: () => void = () => {}

beforeAll(async () => {
  browser = await openBrowser()
})
afterAll(() => browser.close())
afterEach(async () => {
  await page?.context().close()
  stop()
})

interface Paint {
  /** Milliseconds on the clock, which other work on the machine makes longer. */
  clock: number
  /** Milliseconds the page's main thread worked for it. */
  work: number
}

const say = (paint: Paint) => `${paint.clock.toFixed(0)} ms by the clock, ${paint.work.toFixed(0)} ms of work`

async function busySeconds(): Promise<number> {
  const { metrics } = await session.send('Performance.getMetrics')
  return metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0
}

async function open(answers: Answers, path: string, ready: string): Promise<Paint> {
  const fake = await serveFake({
    '/api/health': json(health),
    '/api/documents': json({ documents: [], total: 0 }),
    '/api/chats': json({ chats: [], total: 0 }),
    ...answers,
  })
  stop = fake.stop
  page = await (await browser.newContext({ viewport: { width: 1440, height: 900 }, locale: 'en-US' })).newPage()
  session = await page.context().newCDPSession(page)
  await session.send('Performance.enable')
  await page.goto(fake.url + path, { waitUntil: 'commit' })
  await page.locator(ready).first().waitFor()
  const work = (await busySeconds()) * 1_000
  return { clock: await page.evaluate(() => performance.now()), work }
}

/** Scrolls for two seconds; the longest pause between two frames, in milliseconds. */
async function longestFrame(selector: string): Promise<number> {
  return page
    .locator(selector)
    .first()
    .evaluate(
      (start) =>
        new Promise<number>((resolve) => {
          let box: Element | null = start
          while (box && box.scrollHeight <= box.clientHeight + 1) box = box.parentElement
          let last = performance.now()
          let longest = 0
          const end = last + 2_000
          const step = (now: number) => {
            longest = Math.max(longest, now - last)
            last = now
            if (box) box.scrollTop += 120
            if (now < end) requestAnimationFrame(step)
            else resolve(longest)
          }
          requestAnimationFrame(step)
        }),
    )
}

test('a library of 2,000 documents', async () => {
  const documents = Array.from({ length: 2_000 }, (_, number) => documentOf(number))
  const paint = await open({ '/api/documents': json({ documents, total: 2_000 }) }, '/library', 'article')
  const frame = await longestFrame('article')
  console.log(`library: paint ${say(paint)}, longest frame ${frame.toFixed(0)} ms`)
  expect(paint.work).toBeLessThan(2_000)
})

test('a conversation of 500 messages', async () => {
  const text = 'A **claim** with $x^2$ and a list:\n\n- one\n- two\n\n| a | b |\n|-|-|\n| 1 | 2 |\n\nAnd a last line.'
  const messages = Array.from({ length: 500 }, (_, number) =>
    messageOf(number, number % 2 ? text : `Question ${number}`),
  )
  const paint = await open({ '/api/chats/c': json({ chat, messages }) }, '/chats/c', 'article [class*="prose"]')
  const frame = await longestFrame('article')
  console.log(`conversation: paint ${say(paint)}, longest frame ${frame.toFixed(0)} ms`)
  expect(paint.work).toBeLessThan(2_000)
})

test('a tree of 5,000 nodes beside a PDF of 5,000 pages', async () => {
  const file = readFileSync(MANY_PAGES)
  const info = { ...documentOf(1), page_count: 5_000 }
  const tree = { document_id: info.id, name: info.name, page_count: 5_000, source: 'bookmarks', nodes: nodesOf(5_000) }
  const answers: Answers = {
    [`/api/documents/${info.id}`]: json(info),
    [`/api/documents/${info.id}/tree`]: json(tree),
    [`/api/documents/${info.id}/file`]: (response) =>
      response.writeHead(200, { 'Content-Type': 'application/pdf', 'Content-Length': file.length }).end(file),
  }
  const paint = await open(answers, `/read/${info.id}`, '[role="treeitem"]')
  const treeFrame = await longestFrame('[role="treeitem"]')
  await page.locator('.page[data-loaded="true"] canvas').first().waitFor({ timeout: 60_000 })
  const pages = await page.evaluate(() => performance.now())
  const frame = await longestFrame('.page')
  console.log(
    `tree: paint ${say(paint)}, longest frame ${treeFrame.toFixed(0)} ms; pages: seen by ${pages.toFixed(0)} ms, longest frame ${frame.toFixed(0)} ms`,
  )
  expect(paint.work).toBeLessThan(2_000)
})

test('a long answer at 100 tokens a second', async () => {
  const tokens = Number(process.env.TOKENS ?? 20_000)
  const answers: Answers = {
    '/api/chats/c': json({ chat: { ...chat, active_run_id: 'r0' }, messages: [messageOf(0, 'Tell me all')] }),
    '/api/runs/r0/events': (response) => {
      const send = sse(response)
      send(1, { type: 'start', messageId: 'r0' })
      send(2, { type: 'start-step' })
      let sent = 0
      const timer = setInterval(() => {
        for (let n = 0; n < 10 && sent < tokens; n++, sent++) {
          send(3 + sent, { type: 'text-delta', id: 't', delta: sent % 60 === 59 ? '.\n\n' : `w${sent} ` })
        }
        if (sent < tokens) return
        clearInterval(timer)
        send(3 + sent, { type: 'finish' })
        response.end('data: [DONE]\n\n')
      }, 100)
    },
  }
  await open(answers, '/chats/c', 'article [class*="prose"]')
  const before = await busySeconds()
  const began = Date.now()
  await page.getByRole('button', { name: 'Answer again' }).waitFor({ timeout: 400_000 })
  const share = (await busySeconds()) - before
  const seconds = (Date.now() - began) / 1_000
  console.log(
    `stream: ${tokens} tokens in ${seconds.toFixed(0)} s, main thread busy ${((share / seconds) * 100).toFixed(0)} %`,
  )
  const text = await page.locator('article [class*="prose"]').first().innerText()
  const words = new Set(text.match(/w\d+/g))
  expect(words.size).toBe(tokens - Math.floor(tokens / 60))
  expect(share / seconds).toBeLessThan(0.5)
}, 420_000)

test('hostile titles, names and answers: no dialog, no request to another origin', async () => {
  const dialogs: string[] = []
  const strangers: string[] = []
  const documents = HOSTILE.map((text, number) => documentOf(number, `${text}.pdf`))
  const messages = HOSTILE.flatMap((text, number) => [messageOf(number * 2, text), messageOf(number * 2 + 1, text)])
  const tree = {
    document_id: documents[0]?.id,
    name: HOSTILE[0],
    page_count: 30,
    source: 'bookmarks',
    nodes: nodesOf(30, (n) => HOSTILE[n % 30] ?? ''),
  }
  const watch = () => {
    page.on('dialog', (dialog) => {
      dialogs.push(dialog.message())
      void dialog.dismiss()
    })
    page.on('request', (request) => {
      const { hostname, protocol } = new URL(request.url())
      if (protocol.startsWith('http') && hostname !== '127.0.0.1') strangers.push(request.url())
    })
  }
  await open(
    {
      '/api/documents': json({ documents, total: 30 }),
      [`/api/documents/${documents[0]?.id}`]: json(documents[0]),
      [`/api/documents/${documents[0]?.id}/tree`]: json(tree),
      '/api/chats': json({ chats: HOSTILE.map((title, n) => ({ ...chat, id: `c${n}`, title })), total: 30 }),
      '/api/chats/c': json({ chat, messages }),
    },
    '/library',
    'article',
  )
  watch()
  const origin = new URL(page.url()).origin
  for (const [path, ready] of [
    ['/library', 'article'],
    ['/chats/c', 'article h2'],
    [`/read/${documents[0]?.id}`, '[role="treeitem"]'],
    ['/chats', 'form textarea'],
  ] as const) {
    await page.goto(origin + path)
    await page.locator(ready).first().waitFor()
    await page
      .getByRole('button', { name: /^Show \d+ earlier/ })
      .click({ timeout: 1_000 })
      .catch(() => {})
    await page.waitForTimeout(700)
    expect(await page.evaluate(() => (window as unknown as { hit?: number }).hit)).toBeUndefined()
  }
  expect(dialogs).toEqual([])
  expect(strangers).toEqual([])
})
