/** What the reader's bar and keys do to whatever shows the pages: a PDF, or pages of Markdown. */
export interface PagesHandle {
  goTo: (page: number) => void
  zoom: (step: 1 | -1) => void
  fit: (fit: 'page-width' | 'page-fit') => void
  find: (query: string, direction?: 'next' | 'previous') => void
}
