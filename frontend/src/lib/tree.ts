/** The tree of a document as the rows that stand on the screen. */

export interface TreeNode {
  node_id: string
  title: string
  level: number
  page_from: number
  page_to: number
  source: string
  confidence: number
  page_known: boolean
  summary?: string | null
  children: TreeNode[]
}

export interface TreeRow {
  node: TreeNode
  depth: number
  parent: string | null
  open: boolean
}

/** Rows of the open nodes, in reading order. No recursion: trees may be thousands of levels deep. */
export function visibleRows(nodes: readonly TreeNode[], closed: ReadonlySet<string>): TreeRow[] {
  const rows: TreeRow[] = []
  const stack = nodes.map((node) => ({ node, depth: 0, parent: null as string | null })).reverse()
  for (let next = stack.pop(); next; next = stack.pop()) {
    const { node, depth } = next
    const open = node.children.length > 0 && !closed.has(node.node_id)
    rows.push({ ...next, open })
    if (open) {
      for (let i = node.children.length - 1; i >= 0; i--) {
        const child = node.children[i]
        if (child) stack.push({ node: child, depth: depth + 1, parent: node.node_id })
      }
    }
  }
  return rows
}

/** The chain of nodes that hold the page, outermost first; of several on a level, the one that starts last. */
export function pathTo(nodes: readonly TreeNode[], page: number): TreeNode[] {
  const path: TreeNode[] = []
  let level = nodes
  for (;;) {
    let best: TreeNode | undefined
    for (const node of level) {
      if (node.page_from <= page && page <= node.page_to && (!best || node.page_from > best.page_from)) best = node
    }
    if (!best) return path
    path.push(best)
    level = best.children
  }
}

/** Ids of nodes below the given depth that have children: what a long tree keeps closed at first. */
export function deepNodes(nodes: readonly TreeNode[], from: number): string[] {
  const found: string[] = []
  const stack = nodes.map((node) => ({ node, depth: 0 }))
  for (let next = stack.pop(); next; next = stack.pop()) {
    if (next.node.children.length === 0) continue
    if (next.depth >= from) found.push(next.node.node_id)
    for (const node of next.node.children) stack.push({ node, depth: next.depth + 1 })
  }
  return found
}

export function countNodes(nodes: readonly TreeNode[]): number {
  let count = 0
  const stack = [...nodes]
  for (let node = stack.pop(); node; node = stack.pop()) {
    count++
    for (const child of node.children) stack.push(child)
  }
  return count
}
