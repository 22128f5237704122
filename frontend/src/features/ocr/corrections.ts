/** What the reader corrected, by page, as long as the scan is open. */
import type { ScanPage } from '@/api/ocr'

const corrected = new WeakMap<ScanPage, string>()

export function correctedText(page: ScanPage): string {
  return corrected.get(page) ?? page.corrected ?? page.text
}

export function correctScan(page: ScanPage, text: string): void {
  corrected.set(page, text)
}
