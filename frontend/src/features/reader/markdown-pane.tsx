import { useVirtualizer } from '@tanstack/react-virtual'
import { type Ref, useEffect, useImperativeHandle, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { DocumentInfo } from '@/api/types'
import { MarkdownPage } from './markdown-page'
import styles from './markdown-pane.module.css'
import type { PagesHandle } from './page-handle'
import { useFindPages } from './use-find-pages'

interface MarkdownPaneProps {
  info: DocumentInfo
  page: number | undefined
  quote: string
  onPage: (page: number) => void
  onFound: (found: { current: number; total: number }) => void
  /** Whether the quote stands where it should. */
  onQuote: (found: boolean) => void
  ref?: Ref<PagesHandle>
}

const ESTIMATE = 720
const SIZES = [0.875, 1, 1.125, 1.25, 1.5]

/** Pages of a document that has no pictures of them: clean text, tables and math, one page below the other. */
export function MarkdownPane({ info, page, quote, onPage, onFound, onQuote, ref }: MarkdownPaneProps) {
  const { t } = useTranslation()
  const scroller = useRef<HTMLDivElement>(null)
  const [size, setSize] = useState(1)
  const seen = useRef(0)
  const pages = useVirtualizer({
    count: info.page_count,
    getScrollElement: () => scroller.current,
    estimateSize: () => ESTIMATE,
    overscan: 1,
    initialOffset: 0,
  })
  const goTo = (number: number) => {
    seen.current = number
    pages.scrollToIndex(number - 1, { align: 'start' })
  }
  const find = useFindPages(info.id, { onFound, onGo: goTo })

  // biome-ignore lint/correctness/useExhaustiveDependencies: scrolling writes the page into the address; coming back from there must not scroll again
  useEffect(() => {
    if (page !== undefined && (quote || page !== seen.current)) goTo(page)
  }, [page, quote])

  const follow = () => {
    const box = scroller.current
    if (!box) return
    const line = box.scrollTop + box.clientHeight * 0.3
    const current = pages.getVirtualItems().find((item) => item.start <= line && line < item.end)
    const number = (current?.index ?? 0) + 1
    if (number === seen.current) return
    seen.current = number
    onPage(number)
  }

  useImperativeHandle(ref, () => ({
    goTo,
    zoom: (step) => setSize((before) => Math.max(0, Math.min(SIZES.length - 1, before + step))),
    fit: () => setSize(1),
    find: find.find,
  }))

  return (
    <div
      ref={scroller}
      className={styles.pane}
      role="region"
      aria-label={t('reader.pdf')}
      tabIndex={0}
      onScroll={follow}
    >
      <div className={styles.pages} style={{ height: pages.getTotalSize(), fontSize: `${SIZES[size]}rem` }}>
        {pages.getVirtualItems().map((item) => (
          <div
            key={item.key}
            ref={pages.measureElement}
            data-index={item.index}
            className={styles.place}
            style={{ transform: `translateY(${item.start}px)` }}
          >
            <MarkdownPage
              info={info}
              number={item.index + 1}
              quote={item.index + 1 === page ? quote : ''}
              words={find.query}
              onQuote={onQuote}
            />
          </div>
        ))}
      </div>
    </div>
  )
}
