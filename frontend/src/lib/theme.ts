/** The page's theme: the system's, until the reader chooses. public/theme.js does the same before the first paint. */

const KEY = 'docmind.theme'
export type Theme = 'light' | 'dark' | 'auto'
export const THEMES: readonly Theme[] = ['auto', 'light', 'dark']

export function chosenTheme(): Theme {
  const choice = localStorage.getItem(KEY)
  return choice === 'light' || choice === 'dark' ? choice : 'auto'
}

export function chooseTheme(theme: Theme): void {
  if (theme === 'auto') localStorage.removeItem(KEY)
  else localStorage.setItem(KEY, theme)
  applyTheme()
}

export function isDark(): boolean {
  const choice = chosenTheme()
  return choice === 'dark' || (choice === 'auto' && matchMedia('(prefers-color-scheme: dark)').matches)
}

export function applyTheme(): void {
  document.documentElement.dataset.theme = isDark() ? 'dark' : 'light'
}

/** Follow the system while nothing else is chosen. */
export function followSystemTheme(): void {
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', applyTheme)
}
