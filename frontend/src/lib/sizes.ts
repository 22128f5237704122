/** Sizes and counts in the page's language. */

export function formatBytes(bytes: number, language: string): string {
  const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const
  const step = bytes < 1_000 ? 0 : bytes < 1_000_000 ? 1 : bytes < 1_000_000_000 ? 2 : 3
  const value = bytes / 1_000 ** step
  return new Intl.NumberFormat(language, {
    style: 'unit',
    unit: units[step],
    unitDisplay: 'short',
    maximumFractionDigits: value < 10 && step > 0 ? 1 : 0,
  }).format(value)
}

export function formatCount(value: number, language: string): string {
  return new Intl.NumberFormat(language).format(value)
}

export function formatSeconds(seconds: number, language: string): string {
  const digits = seconds < 10 ? 1 : 0
  return new Intl.NumberFormat(language, {
    style: 'unit',
    unit: 'second',
    unitDisplay: 'narrow',
    maximumFractionDigits: digits,
  }).format(seconds)
}
