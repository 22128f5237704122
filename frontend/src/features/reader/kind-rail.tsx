import { type MouseEvent, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { PageKind } from '@/api/types'
import styles from './kind-rail.module.css'

interface KindRailProps {
  pages: readonly PageKind[]
  pageCount: number
  onOpen: (page: number) => void
}

const HEIGHT = 1_000

/** Beside the scrollbar, a quiet mark for each page that is more than text. The bar and the text pane say the same in words. */
export function KindRail({ pages, pageCount, onOpen }: KindRailProps) {
  const { t, i18n } = useTranslation()
  const tall = Math.max(3, HEIGHT / Math.max(1, pageCount))
  const marks = useMemo(
    () =>
      pages.map((page) => {
        const key = `reader.kind.${page.kind}`
        const name = i18n.exists(key) ? t(key as 'reader.kind.scan') : page.kind
        return { page, title: [`${t('chat.page', { page: page.number })}: ${name}`, page.kind_reason].join('\n') }
      }),
    [pages, t, i18n],
  )
  if (pages.length === 0 || pageCount < 2) return null
  const open = (event: MouseEvent<SVGSVGElement>) => {
    const box = event.currentTarget.getBoundingClientRect()
    const wanted = ((event.clientY - box.top) / box.height) * pageCount + 0.5
    const nearest = pages.reduce((best, page) =>
      Math.abs(page.number - wanted) < Math.abs(best.number - wanted) ? page : best,
    )
    onOpen(nearest.number)
  }
  return (
    <svg
      className={styles.rail}
      viewBox={`0 0 10 ${HEIGHT}`}
      preserveAspectRatio="none"
      aria-hidden="true"
      onClick={open}
    >
      {marks.map(({ page, title }) => (
        <rect
          key={page.number}
          data-kind={page.problem ? 'problem' : page.kind}
          x="2"
          width="6"
          y={((page.number - 1) / pageCount) * HEIGHT}
          height={tall * 0.8}
        >
          <title>{title}</title>
        </rect>
      ))}
    </svg>
  )
}
