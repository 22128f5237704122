import { type MouseEvent, type PointerEvent as ReactPointerEvent, useRef, useState } from 'react'

/**
 * Where the pointer rested when a citation was followed, until it moves away. The page then changes under a pointer
 * that stands still, and what comes to lie under it was not pointed at.
 */
let rest: { x: number; y: number } | null = null
const JITTER_PX = 6

function onPointerMove({ clientX, clientY }: { clientX: number; clientY: number }): void {
  if (rest && Math.hypot(clientX - rest.x, clientY - rest.y) <= JITTER_PX) return
  rest = null
  document.removeEventListener('pointermove', onPointerMove, true)
}

function restAt(event: MouseEvent): void {
  rest = { x: event.clientX, y: event.clientY }
  document.addEventListener('pointermove', onPointerMove, true)
}

/**
 * When the preview of a citation shows. Once its page is opened the preview is gone and does not come back by itself,
 * though the pointer or the focus is still on the chip: it would lie over what its reader wants next.
 *
 * The card's own timers cannot be trusted with this: entering and then pressing a chip starts two, and leaving stops one.
 */
export function usePreview() {
  const [shown, setShown] = useState(false)
  const chip = useRef<HTMLAnchorElement>(null)
  const followed = useRef(false)
  const pointedAt = () =>
    !followed.current &&
    chip.current !== null &&
    (chip.current.matches(':focus-visible') || (rest === null && chip.current.matches(':hover')))
  return {
    shown,
    onOpenChange: (wanted: boolean) => setShown((before) => wanted && (before || pointedAt())),
    follow: (event: MouseEvent) => {
      followed.current = true
      if (event.detail > 0) restAt(event)
      setShown(false)
    },
    trigger: {
      ref: chip,
      onPointerEnter: (event: ReactPointerEvent) => {
        // A pointer enters before it is said to have moved.
        onPointerMove(event)
        if (rest === null) followed.current = false
      },
      onBlur: () => {
        followed.current = false
      },
    },
  }
}
