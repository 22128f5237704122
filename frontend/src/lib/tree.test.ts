import { expect, test } from 'vitest'
import { countNodes, deepNodes, pathTo, type TreeNode, visibleRows } from './tree'

function node(id: string, from: number, to: number, children: TreeNode[] = []): TreeNode {
  return {
    node_id: id,
    title: id,
    level: 1,
    page_from: from,
    page_to: to,
    source: 'bookmark',
    confidence: 1,
    page_known: true,
    summary: null,
    children,
  }
}

const nodes = [node('a', 1, 3), node('b', 3, 9, [node('b1', 3, 5), node('b2', 5, 9, [node('b21', 6, 7)])])]

test('rows stand in reading order and leave out what is closed', () => {
  expect(visibleRows(nodes, new Set()).map((row) => row.node.node_id)).toEqual(['a', 'b', 'b1', 'b2', 'b21'])
  expect(visibleRows(nodes, new Set(['b2'])).map((row) => row.node.node_id)).toEqual(['a', 'b', 'b1', 'b2'])
})

test('the path to a page takes the section that starts last', () => {
  expect(pathTo(nodes, 3).map((item) => item.node_id)).toEqual(['b', 'b1'])
  expect(pathTo(nodes, 6).map((item) => item.node_id)).toEqual(['b', 'b2', 'b21'])
  expect(pathTo(nodes, 40)).toEqual([])
})

test('a tree of 50,000 levels is walked without a stack', () => {
  let deep = node('leaf', 1, 1)
  for (let level = 0; level < 50_000; level++) deep = node(`n${level}`, 1, 1, [deep])
  expect(countNodes([deep])).toBe(50_001)
  expect(visibleRows([deep], new Set(deepNodes([deep], 1)))).toHaveLength(2)
})
