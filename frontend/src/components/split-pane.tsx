import { type KeyboardEvent, type PointerEvent, type ReactNode, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import styles from './split-pane.module.css'

interface SplitPaneProps {
  /** Under this name the width is remembered. */
  name: string
  children: ReactNode
  side: ReactNode | null
}

const LEAST = 25
const MOST = 75

/** Two panes with a handle between them. On a narrow screen the second covers the first. */
export function SplitPane({ name, children, side }: SplitPaneProps) {
  const { t } = useTranslation()
  const frame = useRef<HTMLDivElement>(null)
  const key = `docmind.split.${name}`
  const [share, setShare] = useState(() => Number(localStorage.getItem(key)) || 50)
  const [dragging, setDragging] = useState(false)
  const change = (next: number) => {
    const kept = Math.round(Math.max(LEAST, Math.min(MOST, next)) * 10) / 10
    setShare(kept)
    localStorage.setItem(key, String(kept))
  }
  const onPointerMove = (event: PointerEvent) => {
    const box = frame.current?.getBoundingClientRect()
    if (dragging && box) change(((event.clientX - box.left) / box.width) * 100)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'ArrowLeft') change(share - 2)
    else if (event.key === 'ArrowRight') change(share + 2)
  }
  return (
    <div ref={frame} className={styles.frame} data-dragging={dragging || undefined}>
      <div className={styles.pane} style={side === null ? undefined : { flexBasis: `${share}%` }} data-main>
        {children}
      </div>
      {side !== null && (
        <>
          <div
            role="separator"
            aria-orientation="vertical"
            aria-label={t('act.resize')}
            aria-valuenow={Math.round(share)}
            aria-valuemin={LEAST}
            aria-valuemax={MOST}
            tabIndex={0}
            className={styles.handle}
            onPointerDown={(event) => {
              event.currentTarget.setPointerCapture(event.pointerId)
              setDragging(true)
            }}
            onPointerMove={onPointerMove}
            onPointerUp={() => setDragging(false)}
            onKeyDown={onKeyDown}
          />
          <div className={styles.pane} style={{ flexBasis: `${100 - share}%` }} data-side>
            {side}
          </div>
        </>
      )}
    </div>
  )
}
