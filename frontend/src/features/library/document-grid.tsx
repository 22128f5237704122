import { useVirtualizer } from '@tanstack/react-virtual'
import { useLayoutEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { DocumentInfo } from '@/api/types'
import { DocumentCard } from './document-card'
import styles from './document-grid.module.css'

interface DocumentGridProps {
  documents: readonly DocumentInfo[]
}

const CARD_WIDTH = 188
const NARROW_CARD_WIDTH = 150
const GAP = 24
const TEXT_HEIGHT = 92

/** Cards in rows; only the rows on the screen are in the page. */
export function DocumentGrid({ documents }: DocumentGridProps) {
  const { t } = useTranslation()
  const scroller = useRef<HTMLDivElement>(null)
  const [width, setWidth] = useState(0)

  useLayoutEffect(() => {
    const element = scroller.current
    if (!element) return
    const measure = () => {
      const { paddingLeft, paddingRight } = getComputedStyle(element)
      setWidth(element.clientWidth - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight))
    }
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, [])

  const least = width < 560 ? NARROW_CARD_WIDTH : CARD_WIDTH
  const columns = Math.max(1, Math.floor((width + GAP) / (least + GAP)))
  const cardWidth = (width - GAP * (columns - 1)) / columns
  const rowHeight = Math.round(cardWidth * 1.22) + TEXT_HEIGHT + GAP
  const rows = useVirtualizer({
    count: Math.ceil(documents.length / columns),
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 2,
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: rows must be measured again when their height changes
  useLayoutEffect(() => rows.measure(), [rowHeight])

  return (
    <div ref={scroller} className={styles.scroller}>
      <ul className={styles.rows} style={{ height: rows.getTotalSize() }} aria-label={t('nav.library')}>
        {width > 0 &&
          rows.getVirtualItems().flatMap((row) =>
            documents.slice(row.index * columns, (row.index + 1) * columns).map((document, column) => (
              <li
                key={document.id}
                className={styles.cell}
                style={{
                  width: cardWidth,
                  height: rowHeight - GAP,
                  transform: `translate(${column * (cardWidth + GAP)}px, ${row.start}px)`,
                }}
              >
                <DocumentCard document={document} />
              </li>
            )),
          )}
      </ul>
    </div>
  )
}
