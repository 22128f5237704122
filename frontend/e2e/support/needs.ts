/** What the end-to-end tests need: a browser and a built page. Said once, not per test. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { CHROMIUM, hasChromium } from './browser'

export default function setup(): void {
  if (!hasChromium) {
    if (process.env.DOCMIND_REQUIRE_ALL === '1') throw new Error(`DOCMIND_REQUIRE_ALL=1, but there is no ${CHROMIUM}`)
    console.log(`skipped: the end-to-end tests need ${CHROMIUM}`)
    return
  }
  if (!existsSync(join(import.meta.dirname, '../../dist/index.html')))
    throw new Error('build the page first: npm run build')
}
