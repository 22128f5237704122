import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { hasChromium, openBrowser } from './support/browser'
import { addDocument, sample } from './support/documents'
import { type Site, startSite } from './support/servers'

describe.skipIf(!hasChromium)('a conversation', () => {
  let site: Site
  let browser: Browser
  let context: BrowserContext
  let page: Page

  beforeAll(async () => {
    ;[site, browser] = await Promise.all([startSite({ delay: 0.06 }), openBrowser()])
    await addDocument(site.url, sample.path)
  })
  afterAll(async () => {
    await browser?.close()
    await site?.stop()
  })
  beforeEach(async () => {
    context = await browser.newContext({ viewport: { width: 1440, height: 900 }, locale: 'en-US' })
    page = await context.newPage()
  })
  afterEach(() => context.close())

  const ask = async (text: string) => {
    await page.getByRole('textbox', { name: 'Your question' }).fill(text)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: text }).waitFor()
  }
  const answered = () => page.getByRole('button', { name: 'Copy as Markdown with references' }).last().waitFor()
  const prose = () => page.locator('article').last().locator('[class*="prose"]').last()

  test('goes on growing after a reload in mid-answer, with nothing lost or doubled', async () => {
    await page.goto(`${site.url}/chats`)
    await ask(sample.question)
    await prose().waitFor()
    await page.reload()
    await page.getByRole('button', { name: 'Stop' }).waitFor()
    await answered()
    const shown = await prose().innerText()
    await page.reload()
    await answered()
    expect(await prose().innerText()).toBe(shown)
    expect(shown).toContain('This is what the pages say')
  })

  test('stops when told to and keeps what was written', async () => {
    await page.goto(`${site.url}/chats`)
    await ask(sample.question)
    await prose().waitFor()
    await page.getByRole('button', { name: 'Stop' }).click()
    await page.getByText('Stopped.').waitFor()
    await page.getByRole('button', { name: 'Ask', exact: true }).waitFor()
    await page.reload()
    await page.getByText('Stopped.').waitFor()
  })

  test('an edited question is a branch, and the way back to the first stays', async () => {
    await page.goto(`${site.url}/chats`)
    await ask(sample.question)
    await answered()
    await page.getByRole('button', { name: 'Edit the question' }).click()
    const field = page.getByRole('textbox', { name: 'Edit the question' })
    await field.fill(`${sample.question} In short.`)
    await field.locator('xpath=ancestor::form').getByRole('button', { name: 'Ask' }).click()
    await page.getByRole('heading', { name: `${sample.question} In short.` }).waitFor()
    await answered()
    await page.getByText('2 / 2').waitFor()
    await page.getByRole('button', { name: 'Earlier version' }).click()
    await page.getByRole('heading', { name: sample.question, exact: true }).waitFor()
  })

  test('reads only what its scope names', async () => {
    await page.goto(`${site.url}/chats`)
    await page.getByRole('button', { name: 'Reads: Whole library' }).click()
    await page.getByRole('dialog').getByRole('listitem').getByRole('button').first().click()
    await page.keyboard.press('Escape')
    const request = page.waitForRequest((sent) => sent.url().endsWith('/runs') && sent.method() === 'POST')
    await ask(sample.question)
    expect((await request).postDataJSON().scope.documents).toHaveLength(1)
    await answered()
    await page.reload()
    await page.getByRole('button', { name: /^Reads: (?!Whole)/ }).waitFor()
  })

  test('is answered by quotes alone when the offline reader is chosen, until a model is chosen again', async () => {
    await page.goto(`${site.url}/chats`)
    await page.getByRole('button', { name: 'Answers: scripted' }).click()
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /^Offline reader/ })
      .click()
    const request = page.waitForRequest((sent) => sent.url().endsWith('/runs') && sent.method() === 'POST')
    await ask(sample.question)
    expect((await request).postDataJSON()).toMatchObject({ offline: true })
    await answered()
    await page.reload()
    await page.getByRole('button', { name: 'Answers: Offline reader' }).click()
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /^scripted/ })
      .click()
    await page.getByRole('button', { name: 'Answers: scripted' }).waitFor()
  })

  test('speaks Chinese to a Chinese browser, also at 390 px', async () => {
    const phone = await browser.newContext({ viewport: { width: 390, height: 800 }, locale: 'zh-CN' })
    page = await phone.newPage()
    await page.goto(site.url)
    await page.getByRole('heading', { name: '文库' }).waitFor()
    await page.getByRole('link', { name: '提问' }).click()
    await page.getByRole('textbox', { name: '你的问题' }).fill(sample.question)
    await page.getByRole('button', { name: '提问', exact: true }).click()
    await page.getByRole('button', { name: '复制为带引用的 Markdown' }).waitFor()
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
    await phone.close()
  })
})
