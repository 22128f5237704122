// Fails the build when the JavaScript of the first load is heavier than the budget. The PDF viewer is loaded on its own, later.
import { readdirSync, readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'

const BUDGET_KB = 450
const folder = new URL('../dist/assets/', import.meta.url)
const gzipped = readdirSync(folder)
  .filter((name) => /\.m?js$/.test(name))
  .map((name) => ({ name, kb: gzipSync(readFileSync(new URL(name, folder)), { level: 9 }).length / 1000 }))
const viewer = gzipped.filter(({ name }) => /^pdf/.test(name))
const ours = gzipped.filter((file) => !viewer.includes(file))
const sum = (files) => files.reduce((total, { kb }) => total + kb, 0)

console.log(
  `JavaScript, gzip: ${sum(ours).toFixed(0)} kB of ${BUDGET_KB} (PDF viewer, loaded later: ${sum(viewer).toFixed(0)} kB)`,
)
if (viewer.length === 0) {
  console.error('The PDF viewer is not in chunks of its own: is it imported lazily?')
  process.exit(1)
}
if (sum(ours) > BUDGET_KB) {
  for (const { name, kb } of ours.sort((a, b) => b.kb - a.kb).slice(0, 8))
    console.error(`  ${kb.toFixed(0)} kB  ${name}`)
  process.exit(1)
}
