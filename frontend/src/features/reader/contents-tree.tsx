import { useVirtualizer } from '@tanstack/react-virtual'
import { ChevronRight } from 'lucide-react'
import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatPages } from '@/lib/page-range'
import { countNodes, deepNodes, pathTo, type TreeNode, type TreeRow, visibleRows } from '@/lib/tree'
import styles from './contents-tree.module.css'

interface ContentsTreeProps {
  nodes: readonly TreeNode[]
  page: number
  onOpen: (page: number) => void
}

const ROW = 32
const LONG = 60

/** The document's sections with their pages; the one that holds the page on the screen is marked and kept in sight. */
export function ContentsTree({ nodes, page, onOpen }: ContentsTreeProps) {
  const { t } = useTranslation()
  const scroller = useRef<HTMLDivElement>(null)
  const [closed, setClosed] = useState<ReadonlySet<string>>(() =>
    countNodes(nodes) > LONG ? new Set(deepNodes(nodes, 1)) : new Set(),
  )
  const [focused, setFocused] = useState<string | null>(null)
  const rows = useMemo(() => visibleRows(nodes, closed), [nodes, closed])
  const path = useMemo(() => pathTo(nodes, page), [nodes, page])
  const onPath = useMemo(() => new Set(path.map((node) => node.node_id)), [path])
  // The deepest node of the path that stands on the screen: a closed parent stands for its children.
  const current = rows.findLast((row) => onPath.has(row.node.node_id))
  const currentId = current?.node.node_id ?? null

  const list = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW,
    getItemKey: (index) => rows[index]?.node.node_id ?? index,
    overscan: 12,
  })

  const currentIndex = current ? rows.indexOf(current) : -1
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a new current node may move the list
  useEffect(() => {
    if (currentIndex >= 0) list.scrollToIndex(currentIndex, { align: 'auto' })
  }, [currentId])

  const toggle = (row: TreeRow) => {
    const next = new Set(closed)
    if (row.open) next.add(row.node.node_id)
    else next.delete(row.node.node_id)
    setClosed(next)
  }
  const focusAt = (index: number) => {
    const row = rows[Math.max(0, Math.min(rows.length - 1, index))]
    if (!row) return
    setFocused(row.node.node_id)
    list.scrollToIndex(rows.indexOf(row))
    requestAnimationFrame(() =>
      scroller.current?.querySelector<HTMLElement>(`[data-node="${CSS.escape(row.node.node_id)}"]`)?.focus(),
    )
  }
  const onKeyDown = (event: KeyboardEvent, row: TreeRow, index: number) => {
    const acts: Record<string, () => void> = {
      ArrowDown: () => focusAt(index + 1),
      ArrowUp: () => focusAt(index - 1),
      Home: () => focusAt(0),
      End: () => focusAt(rows.length - 1),
      ArrowRight: () => (row.node.children.length > 0 && !row.open ? toggle(row) : focusAt(index + 1)),
      ArrowLeft: () => (row.open ? toggle(row) : focusAt(rows.findIndex((other) => other.node.node_id === row.parent))),
      Enter: () => onOpen(row.node.page_from),
      ' ': () => onOpen(row.node.page_from),
    }
    const act = acts[event.key]
    if (!act) return
    event.preventDefault()
    act()
  }

  const tabStop = rows.some((row) => row.node.node_id === focused) ? focused : (currentId ?? rows[0]?.node.node_id)
  return (
    <div ref={scroller} className={styles.scroller}>
      <div
        role="tree"
        aria-label={t('reader.contents')}
        className={styles.tree}
        style={{ height: list.getTotalSize() }}
      >
        {list.getVirtualItems().map(({ index, key, start }) => {
          const row = rows[index]
          if (!row) return null
          const { node } = row
          return (
            <div
              key={key}
              role="treeitem"
              data-node={node.node_id}
              aria-level={row.depth + 1}
              aria-expanded={node.children.length > 0 ? row.open : undefined}
              aria-current={node.node_id === currentId ? 'true' : undefined}
              tabIndex={node.node_id === tabStop ? 0 : -1}
              className={styles.row}
              data-on-path={onPath.has(node.node_id) || undefined}
              style={{ transform: `translateY(${start}px)`, paddingLeft: `${0.25 + Math.min(row.depth, 8) * 0.85}rem` }}
              onClick={() => onOpen(node.page_from)}
              onFocus={() => setFocused(node.node_id)}
              onKeyDown={(event) => onKeyDown(event, row, index)}
              title={hintOf(node, t(`reader.source.${node.source.replaceAll(' ', '_')}` as 'reader.source.bookmark'))}
            >
              {node.children.length > 0 ? (
                <span
                  className={styles.fold}
                  data-open={row.open || undefined}
                  aria-hidden="true"
                  onClick={(event) => {
                    event.stopPropagation()
                    toggle(row)
                  }}
                >
                  <ChevronRight size={14} />
                </span>
              ) : (
                <span className={styles.fold} aria-hidden="true" />
              )}
              <span className={styles.title} data-unsure={node.confidence < 0.6 || !node.page_known || undefined}>
                {node.title}
              </span>
              <span className={styles.pages}>
                {node.page_known ? formatPages(node.page_from, node.page_to) : `≈ ${node.page_from}`}
              </span>
            </div>
          )
        })}
      </div>
    </div>
  )
}

function hintOf(node: TreeNode, source: string): string {
  const sure = `${Math.round(node.confidence * 100)} %`
  return [node.title, `${source} · ${sure}`, node.summary ?? ''].filter(Boolean).join('\n')
}
