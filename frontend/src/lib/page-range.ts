/** Pages count from 1 and ranges include both ends, as everywhere in this program. */

/** "7" or "7–12". */
export function formatPages(from: number, to: number): string {
  return from === to ? String(from) : `${from}–${to}`
}

/** Sorted page numbers as runs: [3, 4, 5, 9] is "3–5, 9". */
export function formatPageList(pages: readonly number[]): string {
  const sorted = [...new Set(pages)].sort((a, b) => a - b)
  const runs: [number, number][] = []
  for (const page of sorted) {
    const last = runs.at(-1)
    if (last && page === last[1] + 1) last[1] = page
    else runs.push([page, page])
  }
  return runs.map(([from, to]) => formatPages(from, to)).join(', ')
}

/** The page a search parameter names, or undefined when it names none. */
export function readPage(value: unknown): number | undefined {
  const page = Number(value)
  return Number.isSafeInteger(page) && page > 0 ? page : undefined
}
