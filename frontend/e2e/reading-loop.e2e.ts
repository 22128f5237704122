import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasChromium, openBrowser } from './support/browser'
import { sample } from './support/documents'
import { type Site, startSite } from './support/servers'

const preview = (page: Page) => page.getByText('The quote stands on this page.')

/** Timers run in the order of their times: when this one ends, those of the preview that ran before it have ended. */
const timersOfThePast = (page: Page) => page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 400)))

describe.skipIf(!hasChromium)('the reading loop', () => {
  let site: Site
  let browser: Browser
  let context: BrowserContext
  let page: Page
  const complaints: string[] = []

  beforeAll(async () => {
    ;[site, browser] = await Promise.all([startSite(), openBrowser()])
    context = await browser.newContext({ viewport: { width: 1440, height: 900 }, locale: 'en-US' })
    page = await context.newPage()
    page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()))
    page.on('pageerror', (error) => complaints.push(String(error)))
  })
  afterAll(async () => {
    await browser?.close()
    await site?.stop()
  })

  test('an uploaded file shows its progress and becomes a document', async () => {
    await page.goto(site.url)
    await page.getByRole('heading', { name: 'Bring a document to read' }).waitFor()
    await page.getByLabel('Add documents').setInputFiles(sample.path)
    await page.getByRole('progressbar').first().waitFor()
    await page.getByRole('link', { name: /^Read / }).waitFor({ timeout: 60_000 })
  })

  test('its contents open beside its pages and lead to them', async () => {
    await page.getByRole('link', { name: /^Read / }).click()
    const tree = page.getByRole('tree', { name: 'Contents' })
    await tree.getByText(sample.section).click()
    await page.locator('.page[data-loaded="true"] canvas').first().waitFor()
    await expect.poll(() => tree.locator('[aria-current]').innerText()).toContain(sample.section)
    await expect.poll(() => new URL(page.url()).searchParams.get('page')).not.toBeNull()
  })

  test('a question is answered with a citation that opens the page with the quote marked', async () => {
    await page.getByRole('link', { name: 'New conversation' }).click()
    await page.getByRole('textbox', { name: 'Your question' }).fill(sample.question)
    await page.getByRole('button', { name: 'Ask', exact: true }).click()
    await page.getByRole('heading', { name: sample.question }).waitFor()
    const citation = page.getByRole('link', { name: /, p\. \d+, verified/ }).first()
    await citation.waitFor()
    await page.getByRole('button', { name: 'Copy as Markdown with references' }).waitFor()
    const cited = /p\. (\d+)/.exec((await citation.getAttribute('aria-label')) ?? '')?.[1]
    await citation.hover()
    await preview(page).waitFor()
    await citation.click()
    const mark = page.locator(`.page[data-page-number="${cited}"] .pdf-mark`).first()
    const standsOnScreen = async () => {
      const box = await mark.boundingBox()
      return box !== null && box.y > 0 && box.y + box.height < 900
    }
    await expect.poll(standsOnScreen, { timeout: 15_000 }).toBe(true)
    expect(await page.getByRole('textbox', { name: 'Page' }).inputValue()).toBe(cited)
  })

  test('the preview of a followed citation is gone and stays gone while the pointer rests', async () => {
    await preview(page).waitFor({ state: 'detached' })
    await timersOfThePast(page)
    expect(await preview(page).count()).toBe(0)
  })

  test('the agent’s trail opens and shows the pages that were read', async () => {
    await page.getByRole('button', { name: /^Read \d+ page/ }).click()
    await page.getByText(/Searches for/).waitFor()
    await page
      .getByRole('link', { name: /, p\. \d+$/ })
      .first()
      .waitFor()
  })

  test('a citation pressed at once, on a small screen, leaves no preview over the way back', async () => {
    await page.setViewportSize({ width: 390, height: 800 })
    await page.goto(page.url().split('?')[0] ?? '')
    const look = page.getByRole('button', { name: 'How this was found' })
    await look.waitFor()
    await page
      .getByRole('link', { name: /, p\. \d+, verified/ })
      .first()
      .click()
    await page.locator('.pdf-mark').first().waitFor()
    await timersOfThePast(page)
    expect(await preview(page).count()).toBe(0)
    await page.getByRole('button', { name: 'Close' }).click()
    await look.click()
    await page.getByText(/Searches for/).waitFor()
  })

  test('pointing at a followed citation again shows its preview again', async () => {
    await page
      .getByRole('link', { name: /, p\. \d+, verified/ })
      .first()
      .hover()
    await preview(page).waitFor()
  })

  test('the page made no complaint', () => {
    expect(complaints).toEqual([])
  })
})
