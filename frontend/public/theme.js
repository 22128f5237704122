// Runs before the first paint, so that a dark page never flashes white. A file of its own: the policy forbids inline scripts.
;(() => {
  let choice = null
  try {
    choice = localStorage.getItem('docmind.theme')
  } catch {
    // Storage may be forbidden; the system's theme is used then.
  }
  const dark = choice === 'dark' || (choice !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
  document.documentElement.dataset.theme = dark ? 'dark' : 'light'
})()
