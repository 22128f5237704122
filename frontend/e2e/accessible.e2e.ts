import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasChromium, openBrowser } from './support/browser'
import { addDocument, sample } from './support/documents'
import { type Site, startSite } from './support/servers'

const AXE = readFileSync(join(import.meta.dirname, '../node_modules/axe-core/axe.min.js'), 'utf8')

interface Violation {
  id: string
  impact: string
  nodes: { html: string; failureSummary: string }[]
}

async function violations(page: Page): Promise<string[]> {
  // evaluate() goes past the page's content security policy, which rightly forbids added scripts.
  await page.evaluate(AXE)
  const found = await page.evaluate(() => {
    const { axe } = window as unknown as { axe: { run: () => Promise<{ violations: Violation[] }> } }
    return axe.run().then((result) => result.violations)
  })
  return found
    .filter((violation) => violation.impact === 'serious' || violation.impact === 'critical')
    .map(
      (violation) => `${violation.id}: ${violation.nodes[0]?.html.slice(0, 160)} ${violation.nodes[0]?.failureSummary}`,
    )
}

describe.skipIf(!hasChromium).each(['light', 'dark'] as const)('every screen in the %s theme', (theme) => {
  let site: Site
  let browser: Browser
  let page: Page
  let id: string
  let chat: string

  beforeAll(async () => {
    ;[site, browser] = await Promise.all([startSite(), openBrowser()])
    id = await addDocument(site.url, sample.path)
    const context = await browser.newContext({
      viewport: { width: 1440, height: 900 },
      locale: 'en-US',
      colorScheme: theme,
    })
    page = await context.newPage()
    await page.goto(`${site.url}/chats`)
    await page.getByRole('textbox', { name: 'Your question' }).fill(sample.question)
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Copy as Markdown with references' }).waitFor()
    await page.getByRole('button', { name: /^Read \d+ page/ }).click()
    await page
      .getByRole('link', { name: /, p\. \d+, verified/ })
      .first()
      .click()
    await page.locator('.pdf-mark').first().waitFor()
    chat = page.url().slice(site.url.length)
  })
  afterAll(async () => {
    await browser?.close()
    await site?.stop()
  })

  const screens: [string, () => string, string][] = [
    ['library', () => '/library', 'h1'],
    ['reader', () => `/read/${id}?page=2`, '.page canvas'],
    ['conversation beside a page', () => chat, '.pdf-mark'],
    ['new conversation', () => '/chats', 'form textarea'],
    ['search', () => '/search?q=the', 'ol li'],
    ['memory', () => '/memory', 'article'],
    ['scan', () => '/scan', 'h2'],
    ['settings', () => '/settings', 'h1'],
  ]
  test.each(screens)('%s has no serious fault of accessibility', async (_, path, ready) => {
    await page.goto(site.url + path())
    await page.locator(ready).first().waitFor()
    await page.waitForTimeout(600)
    expect(await violations(page)).toEqual([])
  })

  test('the palette has none either', async () => {
    await page.goto(`${site.url}/library`)
    await page.getByRole('heading', { name: 'Library' }).waitFor()
    await page.keyboard.press('Control+k')
    await page.getByPlaceholder('Documents, conversations, actions…').waitFor()
    expect(await violations(page)).toEqual([])
  })
})
