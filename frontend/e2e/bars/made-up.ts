/** Data for the bars: big, and hostile. */

const NOW = '2026-01-01T00:00:00Z'

export function documentOf(number: number, name = `Report ${number}.pdf`) {
  return {
    id: number.toString(16).padStart(16, '0'),
    name,
    kind: 'pdf',
    size_bytes: 1_000_000 + number,
    sha256: '',
    status: 'ready',
    page_count: 100,
    pages_done: 100,
    outline_source: 'bookmarks',
    title: name.replace('.pdf', ''),
    author: '',
    has_labels: false,
    warnings: [],
    problem: null,
    created_at: NOW,
    seconds: 1,
  }
}

export function nodesOf(count: number, title = (number: number) => `Section ${number}`) {
  return Array.from({ length: Math.ceil(count / 10) }, (_, top) => ({
    ...nodeOf(`${top}`, title(top), top + 1),
    children: Array.from({ length: 9 }, (_, below) => nodeOf(`${top}.${below}`, title(top * 10 + below), top + 1)),
  }))
}

function nodeOf(id: string, title: string, page: number) {
  return {
    node_id: id,
    title,
    level: 1,
    page_from: page,
    page_to: page,
    source: 'bookmark',
    confidence: 1,
    page_known: true,
    summary: null,
    children: [],
  }
}

export const chat = {
  id: 'c',
  title: 'A long talk',
  created_at: NOW,
  updated_at: NOW,
  archived: false,
  active_run_id: null,
}

export function messageOf(number: number, text: string) {
  return {
    id: `m${number}`,
    chat_id: 'c',
    parent_id: number === 0 ? null : `m${number - 1}`,
    role: number % 2 === 0 ? 'user' : 'assistant',
    text,
    created_at: NOW,
    run_id: `r${number}`,
    status: 'finished',
    scope: { documents: [] },
    citations: [],
    mode: 'agent',
    model: 'm',
    usage: null,
    offline_reason: null,
    problem: null,
    siblings: [`m${number}`],
  }
}

const CALL = 'window.hit=1;alert(1)'
/** Thirty ways in, as a model, a document or a web page might write them. */
export const HOSTILE = [
  `<script>${CALL}</script>`,
  `<img src=x onerror="${CALL}">`,
  `<svg onload="${CALL}"></svg>`,
  `<iframe src="javascript:${CALL}"></iframe>`,
  `<iframe srcdoc="<script>${CALL}</script>"></iframe>`,
  `[a](javascript:${CALL})`,
  `[a](  JaVaScRiPt:${CALL})`,
  `[a](data:text/html,<script>${CALL}</script>)`,
  `[a](vbscript:${CALL})`,
  `<a href="javascript:${CALL}">a</a>`,
  '![x](http://evil.invalid/x.png)',
  '![x](//evil.invalid/x.png)',
  '![x](/api//evil.invalid/x.png)',
  '<img src="http://evil.invalid/x.png">',
  '<link rel="stylesheet" href="http://evil.invalid/x.css">',
  '<style>@import "http://evil.invalid/x.css";</style>',
  '<base href="http://evil.invalid/">',
  '<meta http-equiv="refresh" content="0;url=http://evil.invalid/">',
  `<form action="javascript:${CALL}"><button autofocus>x</button></form>`,
  '<object data="http://evil.invalid/x"></object>',
  '<embed src="http://evil.invalid/x">',
  `<details open ontoggle="${CALL}">x</details>`,
  `<video src="http://evil.invalid/x" onerror="${CALL}"></video>`,
  `<math href="javascript:${CALL}">x</math>`,
  `$\\href{javascript:${CALL}}{x}$`,
  '$\\includegraphics{http://evil.invalid/x.png}$',
  `$\\htmlData{x="<img onerror=${CALL}>"}{x}$`,
  '<cite-mark data-index="0">x</cite-mark>',
  `\`\`\`html\n<script>${CALL}</script>\n\`\`\``,
  `"><img src=x onerror=${CALL}>`,
]
