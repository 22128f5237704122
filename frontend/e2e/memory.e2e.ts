import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasChromium, openBrowser } from './support/browser'
import { addDocument, sample } from './support/documents'
import { type Site, startSite } from './support/servers'

const WISH = 'Please answer in short sentences.'
const CHANGED = 'Please answer in one short list.'

describe.skipIf(!hasChromium)('memory', () => {
  let site: Site
  let browser: Browser
  let page: Page

  beforeAll(async () => {
    ;[site, browser] = await Promise.all([startSite(), openBrowser()])
    await addDocument(site.url, sample.path)
    page = await (await browser.newContext({ viewport: { width: 1440, height: 900 }, locale: 'en-US' })).newPage()
  })
  afterAll(async () => {
    await browser?.close()
    await site?.stop()
  })

  const ask = async () => {
    await page.goto(`${site.url}/chats`)
    await page.getByRole('textbox', { name: 'Your question' }).fill(sample.question)
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Copy as Markdown with references' }).waitFor()
    await page.getByRole('button', { name: /^Read \d+ page/ }).click()
  }
  const openMemory = async () => {
    await page.goto(`${site.url}/memory`)
    await page.getByRole('heading', { name: 'Memory' }).waitFor()
  }
  const item = (words: string) => page.getByRole('article').filter({ hasText: words })

  test('what is written by hand is told to the next answer', async () => {
    await openMemory()
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    const form = page.locator('form')
    await form.getByRole('radio', { name: 'How to answer' }).click()
    await form.getByRole('textbox', { name: 'What to remember' }).fill(WISH)
    await form.getByRole('button', { name: 'Save' }).click()
    await item(WISH).getByText('Written by you').waitFor()
    await ask()
    await page.getByRole('listitem').filter({ hasText: WISH }).first().waitFor()
  })

  test('an edit holds from the next answer on', async () => {
    await openMemory()
    await item(WISH).getByText('Used once').waitFor()
    await item(WISH).hover()
    await item(WISH).getByRole('button', { name: 'Edit' }).click()
    await page.getByRole('textbox', { name: 'What to remember' }).fill(CHANGED)
    await page.getByRole('button', { name: 'Save' }).click()
    await item(CHANGED).waitFor()
    await ask()
    await page.getByText(CHANGED).waitFor()
    expect(await page.getByText(WISH).count()).toBe(0)
  })

  test('what is switched off is told to no answer', async () => {
    await openMemory()
    await item(CHANGED).hover()
    await item(CHANGED).getByRole('button', { name: 'Switch off' }).click()
    await item(CHANGED).getByText('Switched off').waitFor()
    await ask()
    expect(await page.getByText(CHANGED).count()).toBe(0)
  })

  test('a deletion can be undone, and one that is not is for good', async () => {
    await openMemory()
    await item(CHANGED).hover()
    await item(CHANGED).getByRole('button', { name: 'Delete' }).click()
    await item(CHANGED).waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Undo' }).click()
    await item(CHANGED).waitFor()
    await page.getByRole('button', { name: 'More for memory' }).click()
    await page.getByRole('menuitem', { name: 'Delete everything' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('heading', { name: 'Nothing is remembered yet' }).waitFor()
  })

  test('the switch for all conversations is kept', async () => {
    const remember = page.getByRole('switch', { name: 'Remember from conversations' })
    const saved = page.waitForResponse((answer) => answer.url().endsWith('/switches') && answer.ok())
    await remember.click()
    await saved
    await page.reload()
    await expect.poll(() => remember.getAttribute('aria-checked')).toBe('false')
  })
})
