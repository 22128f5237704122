/** Dates as people say them, in the page's language. */

export type Age = 'today' | 'yesterday' | 'week' | 'month' | 'older'

const DAY_MS = 86_400_000

function midnight(date: Date): number {
  return new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime()
}

export function ageOf(iso: string, now: Date = new Date()): Age {
  const days = Math.round((midnight(now) - midnight(new Date(iso))) / DAY_MS)
  if (days <= 0) return 'today'
  if (days === 1) return 'yesterday'
  if (days < 7) return 'week'
  return days < 31 ? 'month' : 'older'
}

export function formatDate(iso: string, language: string): string {
  return new Intl.DateTimeFormat(language, { year: 'numeric', month: 'short', day: 'numeric' }).format(new Date(iso))
}

export function formatMoment(iso: string, language: string): string {
  return new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' }).format(new Date(iso))
}
