import { memo, useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { usePageText } from '@/api/documents'
import type { DocumentInfo } from '@/api/types'
import { Markdown } from '@/components/markdown'
import { ProblemNote, Waiting } from '@/components/states'
import { asProblem } from '@/lib/problems'
import styles from './markdown-pane.module.css'
import { markQuote, markWords } from './text-marks'

interface MarkdownPageProps {
  info: DocumentInfo
  number: number
  quote: string
  /** Words that are looked for in the document. */
  words: string
  onQuote: (found: boolean) => void
}

export const MarkdownPage = memo(function MarkdownPage({ info, number, quote, words, onQuote }: MarkdownPageProps) {
  const { t } = useTranslation()
  const page = usePageText(info.id, number)
  const body = useRef<HTMLDivElement>(null)
  const latest = useRef(onQuote)
  useEffect(() => {
    latest.current = onQuote
  })
  const ready = page.isSuccess

  useEffect(() => {
    if (!ready || !quote || !body.current) return
    const mark = markQuote(body.current, quote)
    latest.current(mark.found)
    return mark.remove
  }, [ready, quote])

  useEffect(() => {
    if (ready && words && body.current) return markWords(body.current, words)
  }, [ready, words])

  const name = t(`reader.pageIs.${info.page_is}` as 'reader.pageIs.page', { number })
  const label = page.data?.label ?? ''
  return (
    <article className={styles.page} aria-label={name} data-page={number}>
      <p className={styles.number}>
        {name}
        {label !== '' && label !== String(number) && <span> · {label}</span>}
      </p>
      {page.isPending && <Waiting />}
      {page.isError && <ProblemNote problem={asProblem(page.error)} onRetry={() => page.refetch()} />}
      {page.isSuccess && (
        <div ref={body} data-page-text>
          <Markdown text={page.data.markdown ?? page.data.text} className={styles.prose ?? ''} />
        </div>
      )}
    </article>
  )
})
