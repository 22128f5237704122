import type { Element, ElementContent, Root, Text } from 'hast'
import { memo, type ReactNode, useMemo } from 'react'
import ReactMarkdown, { type Components, type ExtraProps } from 'react-markdown'
import rehypeKatex from 'rehype-katex'
import rehypeSanitize, { defaultSchema } from 'rehype-sanitize'
import remarkCjkFriendly from 'remark-cjk-friendly'
import remarkGfm from 'remark-gfm'
import remarkMath from 'remark-math'
import { SKIP, visit } from 'unist-util-visit'
import { PLACEHOLDER } from '@/lib/citation-marks'
import { dollarMath, splitBlocks } from '@/lib/markdown-blocks'
import { CodeBlock } from './code-block'
import styles from './markdown.module.css'
import 'katex/dist/katex.min.css'

interface MarkdownProps {
  text: string
  /** Puts something in the place of the n-th citation placeholder. */
  renderMark?: (index: number) => ReactNode
  className?: string
}

// Sanitising comes before KaTeX: what KaTeX makes is ours, what stands in the text is not.
const schema = {
  ...defaultSchema,
  attributes: {
    ...defaultSchema.attributes,
    code: [['className', /^language-./, 'math-inline', 'math-display'] as [string, ...(string | RegExp)[]]],
    'cite-mark': ['dataIndex'],
  },
  tagNames: [...(defaultSchema.tagNames ?? []), 'cite-mark'],
}

/** Placeholders in text become elements; after sanitising nothing else can make such an element. */
function rehypeMarks() {
  return (tree: Root) => {
    visit(tree, 'text', (node: Text, index, parent) => {
      if (!parent || index === undefined || !node.value.includes('\uE000')) return
      const parts: ElementContent[] = []
      let from = 0
      for (const match of node.value.matchAll(PLACEHOLDER)) {
        if (match.index > from) parts.push({ type: 'text', value: node.value.slice(from, match.index) })
        parts.push({ type: 'element', tagName: 'cite-mark', properties: { dataIndex: match[1] }, children: [] })
        from = match.index + match[0].length
      }
      if (from < node.value.length) parts.push({ type: 'text', value: node.value.slice(from) })
      parent.children.splice(index, 1, ...parts)
      return [SKIP, index + parts.length]
    })
  }
}

const remarkPlugins = [remarkGfm, remarkMath, remarkCjkFriendly]
const rehypePlugins = [
  [rehypeSanitize, schema],
  [rehypeKatex, { throwOnError: false, strict: false, trust: false, maxExpand: 300, maxSize: 40 }],
  rehypeMarks,
] as never[]

function isOwnImage(src: unknown): src is string {
  return typeof src === 'string' && /^\/api\/(?!\/)/.test(src)
}

function codeText(node: Element | undefined): { code: string; language: string } {
  const code = node?.children.find((child): child is Element => child.type === 'element' && child.tagName === 'code')
  const text = (code?.children ?? []).map((child) => (child.type === 'text' ? child.value : '')).join('')
  const names = code?.properties.className
  const language = Array.isArray(names) ? String(names.find((name) => String(name).startsWith('language-')) ?? '') : ''
  return { code: text.replace(/\n$/, ''), language: language.replace('language-', '') }
}

function componentsWith(renderMark: MarkdownProps['renderMark']): Components {
  return {
    a: ({ href, children }) =>
      href && /^(https?:|mailto:|#)/i.test(href) ? (
        <a href={href} target="_blank" rel="noopener noreferrer nofollow">
          {children}
        </a>
      ) : (
        <span>{children}</span>
      ),
    // Pictures of other origins would tell them who reads what.
    img: ({ src, alt }) => (isOwnImage(src) ? <img src={src} alt={alt ?? ''} loading="lazy" /> : <em>{alt}</em>),
    table: ({ children }) => (
      <section className={styles.table} tabIndex={0} aria-label="table">
        <table>{children}</table>
      </section>
    ),
    pre: ({ node }) => <CodeBlock {...codeText(node)} />,
    'cite-mark': ({ node }: ExtraProps) => renderMark?.(Number(node?.properties.dataIndex)),
  } as Components
}

interface BlockProps {
  text: string
  components: Components
}

const Block = memo(function Block({ text, components }: BlockProps) {
  return (
    <ReactMarkdown remarkPlugins={remarkPlugins} rehypePlugins={rehypePlugins} components={components}>
      {text}
    </ReactMarkdown>
  )
})

/** Markdown with tables, code and math; raw HTML is dropped. Earlier blocks are not read again as the text grows. */
export function Markdown({ text, renderMark, className = '' }: MarkdownProps) {
  const blocks = useMemo(() => splitBlocks(dollarMath(text)), [text])
  const components = useMemo(() => componentsWith(renderMark), [renderMark])
  return (
    <div className={`${styles.prose} ${className}`}>
      {blocks.map((block, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: blocks only grow at the end, so the place is the identity
        <Block key={index} text={block} components={components} />
      ))}
    </div>
  )
}
