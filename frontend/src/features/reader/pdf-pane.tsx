import { type Ref, useEffect, useImperativeHandle, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { fileUrl } from '@/api/documents'
import type { Box } from '@/api/types'
import { ProblemNote, Waiting } from '@/components/states'
import { asProblem, type Problem } from '@/lib/problems'
import type { PagesHandle } from './page-handle'
import type { PdfEvents, PdfView } from './pdf-engine'
import styles from './pdf-pane.module.css'

interface PdfPaneProps extends Partial<Omit<PdfEvents, 'onReady'>> {
  documentId: string
  page: number | undefined
  boxes: readonly Box[]
  onReady?: (pageCount: number, labels: readonly string[] | null) => void
  ref?: Ref<PagesHandle>
}

const nothing = () => {}

/** The PDF itself, at a page, with rectangles marked on it. */
export function PdfPane({ documentId, page, boxes, ref, ...events }: PdfPaneProps) {
  const { t } = useTranslation()
  const container = useRef<HTMLDivElement>(null)
  const [view, setView] = useState<PdfView | null>(null)
  const [problem, setProblem] = useState<Problem | null>(null)
  const seen = useRef(1)
  const latest = useRef(events)
  useEffect(() => {
    latest.current = events
  })

  useEffect(() => {
    let left = false
    let opened: PdfView | null = null
    const open = async () => {
      const { openPdf } = await import('./pdf-engine')
      if (left || !container.current) return
      opened = await openPdf(fileUrl(documentId), container.current, {
        onReady: (count, labels) => latest.current.onReady?.(count, labels),
        onPage: (number) => {
          seen.current = number
          latest.current.onPage?.(number)
        },
        onFound: (found) => latest.current.onFound?.(found),
        onScale: (scale) => latest.current.onScale?.(scale),
      })
      if (left) opened.close()
      else setView(opened)
    }
    setProblem(null)
    open().catch((error: unknown) => left || setProblem(problemOf(error)))
    return () => {
      left = true
      opened?.close()
      setView(null)
    }
  }, [documentId])

  useEffect(() => {
    if (!view || page === undefined) return
    // Scrolling writes the page into the address; coming back from there it must not scroll again.
    view.show({ page, boxes }, boxes.length > 0 || page !== seen.current)
    seen.current = page
  }, [view, page, boxes])

  useImperativeHandle(
    ref,
    () => ({
      goTo: (number) => view?.goTo(number),
      zoom: (step) => view?.zoom(step),
      fit: (fit) => view?.fit(fit),
      find: view ? view.find : nothing,
    }),
    [view],
  )

  return (
    <div className={styles.pane}>
      <div ref={container} role="region" className={styles.container} tabIndex={0} aria-label={t('reader.pdf')}>
        <div className="pdfViewer" />
      </div>
      {!view && !problem && (
        <div className={styles.over}>
          <Waiting label={t('reader.opening')} />
        </div>
      )}
      {problem && (
        <div className={styles.over}>
          <ProblemNote problem={problem} />
        </div>
      )}
    </div>
  )
}

function problemOf(error: unknown): Problem {
  const name = error instanceof Error ? error.name : ''
  if (name === 'PasswordException') return { code: 'encrypted', message: '', advice: '' }
  if (name === 'InvalidPDFException') return { code: 'corrupt', message: '', advice: '' }
  if (name === 'ResponseException' || name === 'MissingPDFException')
    return { code: 'document_not_found', message: '', advice: '' }
  return asProblem(error)
}
