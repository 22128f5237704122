import { type ReactNode, useCallback, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { isReadable, useBoxes, useDocument, usePageKinds, useTree } from '@/api/documents'
import type { Box, PageKind } from '@/api/types'
import { SplitPane } from '@/components/split-pane'
import { ProblemNote, Waiting } from '@/components/states'
import { asProblem } from '@/lib/problems'
import { ContentsTree } from './contents-tree'
import { FindBar } from './find-bar'
import { KindRail } from './kind-rail'
import { MarkdownPane } from './markdown-pane'
import type { PagesHandle } from './page-handle'
import { PageTextPane } from './page-text-pane'
import { PdfPane } from './pdf-pane'
import styles from './reader.module.css'
import { ReaderBar } from './reader-bar'
import { SelectionAsk } from './selection-ask'
import { useReaderKeys } from './use-reader-keys'

export interface Place {
  page: number
  quote?: string
}

interface ReaderProps {
  documentId: string
  page: number | undefined
  quote: string
  /** Beside something else: no contents, fewer tools. */
  compact?: boolean
  /** The page on the screen has changed by scrolling (replace) or by choice. */
  onPlace: (place: Place, how: 'push' | 'replace') => void
  onAsk?: (about: { page: number; selection: string }) => void
  onClose?: () => void
  /** What stands at the right when asked for: a conversation about this document. */
  askPane?: ReactNode
  asking?: boolean
  onAsking?: (asking: boolean) => void
}

const NO_BOXES: readonly Box[] = []
const NO_KINDS: readonly PageKind[] = []
const SETTLE_MS = 350
/** From this width on, text and conversation stand beside the pages together. */
const ROOMY = 1_700

/** A document to read: its sections, its pages, its text, and what is cited marked on the page. */
export function Reader(props: ReaderProps) {
  const { documentId, page, quote, compact = false, onPlace } = props
  const { t } = useTranslation()
  const info = useDocument(documentId)
  const tree = useTree(documentId, info.data !== undefined && isReadable(info.data))
  const readable = info.data !== undefined && isReadable(info.data)
  const hasPictures = info.data?.has_pictures !== false
  const kinds = usePageKinds(documentId, readable)
  const boxes = useBoxes(documentId, page, quote, readable && hasPictures)
  const pdf = useRef<PagesHandle>(null)
  const [seen, setSeen] = useState(page ?? 1)
  const [pageCount, setPageCount] = useState(0)
  const [labels, setLabels] = useState<readonly string[] | null>(null)
  const [contents, setContents] = useState(() => !compact && window.innerWidth >= 1000)
  const [text, setText] = useState(false)
  const [quoteFound, setQuoteFound] = useState(true)
  const [finding, setFinding] = useState(false)
  const [found, setFound] = useState({ current: 0, total: 0 })
  const place = useRef({ quote, onPlace })
  useEffect(() => {
    place.current = { quote, onPlace }
  })

  // The address follows the reader, except while it names a quote: that place is the reader's to come back to.
  useEffect(() => {
    if (compact || seen === page) return
    const timer = setTimeout(() => place.current.quote || place.current.onPlace({ page: seen }, 'replace'), SETTLE_MS)
    return () => clearTimeout(timer)
  }, [seen, page, compact])

  const count = pageCount || (info.data?.page_count ?? 0)
  const goTo = useCallback(
    (next: number) => {
      const wanted = Math.max(1, Math.min(count || next, next))
      setSeen(wanted)
      pdf.current?.goTo(wanted)
      onPlace({ page: wanted }, 'replace')
    },
    [count, onPlace],
  )
  useReaderKeys({ page: seen, onPage: goTo, onFind: () => setFinding(true), pdf, disabled: compact })

  if (info.isError) return <ProblemNote problem={asProblem(info.error)} onRetry={() => info.refetch()} />
  if (info.isPending) return <Waiting />
  if (!isReadable(info.data)) {
    const problem = info.data.problem ?? { code: 'document_not_ready', message: '', advice: '' }
    return <ProblemNote problem={problem} onRetry={() => info.refetch()} />
  }

  const onSelect = props.onAsk
  const sheet = (
    <div className={styles.sheet}>
      {finding && (
        <FindBar
          found={found}
          onFind={(query, direction) => pdf.current?.find(query, direction)}
          onClose={() => {
            pdf.current?.find('')
            setFinding(false)
          }}
        />
      )}
      {hasPictures ? (
        <PdfPane
          ref={pdf}
          documentId={documentId}
          page={page}
          boxes={quote ? (boxes.data ?? NO_BOXES) : NO_BOXES}
          onReady={(pages, pageLabels) => {
            setPageCount(pages)
            setLabels(pageLabels)
          }}
          onPage={setSeen}
          onFound={setFound}
        />
      ) : (
        <MarkdownPane
          ref={pdf}
          info={info.data}
          page={page}
          quote={quote}
          onPage={setSeen}
          onFound={setFound}
          onQuote={setQuoteFound}
        />
      )}
      {quote && (hasPictures ? boxes.isSuccess && boxes.data.length === 0 : !quoteFound) && (
        <p className={styles.notFound}>{t('reader.quoteNotFound')}</p>
      )}
      {onSelect && <SelectionAsk onAsk={(selection) => onSelect({ page: seen, selection })} />}
    </div>
  )

  return (
    <div className={styles.reader} data-compact={compact || undefined}>
      <ReaderBar
        info={info.data}
        page={seen}
        pageCount={count}
        label={labels?.[seen - 1] ?? ''}
        kind={kinds.data?.find((other) => other.number === seen) ?? null}
        compact={compact}
        contents={contents}
        text={text}
        asking={props.asking ?? false}
        onContents={() => setContents(!contents)}
        onText={() => {
          if (!text && window.innerWidth < ROOMY) props.onAsking?.(false)
          setText(!text)
        }}
        onFind={() => setFinding(!finding)}
        onPage={goTo}
        onZoom={(step) => pdf.current?.zoom(step)}
        onFit={(fit) => pdf.current?.fit(fit)}
        onAsking={
          props.onAsking &&
          ((next) => {
            if (next && window.innerWidth < ROOMY) setText(false)
            props.onAsking?.(next)
          })
        }
        onClose={props.onClose}
      />
      <div className={styles.body}>
        {contents && !compact && (
          <aside className={styles.contents} aria-label={t('reader.contents')}>
            {tree.isPending && <Waiting />}
            {tree.isError && <ProblemNote problem={asProblem(tree.error)} onRetry={() => tree.refetch()} />}
            {tree.isSuccess && (
              <ContentsTree
                nodes={tree.data.nodes}
                page={seen}
                onOpen={(next) => {
                  goTo(next)
                  if (window.innerWidth < 768) setContents(false)
                }}
              />
            )}
          </aside>
        )}
        <div className={styles.stage}>
          <SplitPane
            name="reader-text"
            side={text ? <PageTextPane documentId={documentId} page={seen} onClose={() => setText(false)} /> : null}
          >
            {sheet}
          </SplitPane>
        </div>
        {!compact && <KindRail pages={kinds.data ?? NO_KINDS} pageCount={count} onOpen={goTo} />}
        {props.asking && props.askPane && <aside className={styles.ask}>{props.askPane}</aside>}
      </div>
    </div>
  )
}
