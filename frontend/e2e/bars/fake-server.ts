/** The built page with made-up data of a size that no test wants to read in first: many documents, messages, nodes, tokens. */
import { createReadStream, existsSync, statSync } from 'node:fs'
import { createServer, type ServerResponse } from 'node:http'
import { extname, join } from 'node:path'

const DIST = join(import.meta.dirname, '../../dist')
const TYPES: Record<string, string> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.mjs': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
  '.wasm': 'application/wasm',
}
const CSP =
  "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; font-src 'self' data:; worker-src 'self' blob:; object-src 'none'; base-uri 'none'"

export type Answers = Record<string, (response: ServerResponse, url: URL) => void>

export function json(value: unknown) {
  const body = JSON.stringify(value)
  return (response: ServerResponse) => response.writeHead(200, { 'Content-Type': 'application/json' }).end(body)
}

export function sse(response: ServerResponse): (id: number, data: unknown) => void {
  response.writeHead(200, { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-cache' })
  return (id, data) => response.write(`id: ${id}\ndata: ${JSON.stringify(data)}\n\n`)
}

/** Serves on a free port; `answers` maps the beginnings of paths, the longest first, to what is said. */
export async function serveFake(answers: Answers): Promise<{ url: string; stop: () => void }> {
  const prefixes = Object.keys(answers).sort((a, b) => b.length - a.length)
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://fake')
    const prefix = prefixes.find((start) => url.pathname.startsWith(start))
    if (prefix) return answers[prefix]?.(response, url)
    if (url.pathname.startsWith('/api/')) return response.writeHead(404).end('{}')
    const wanted = join(DIST, url.pathname)
    const file = existsSync(wanted) && statSync(wanted).isFile() ? wanted : join(DIST, 'index.html')
    response.writeHead(200, {
      'Content-Type': TYPES[extname(file)] ?? 'application/octet-stream',
      'Content-Security-Policy': CSP,
    })
    createReadStream(file).pipe(response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = address && typeof address === 'object' ? address.port : 0
  return {
    url: `http://127.0.0.1:${port}`,
    stop: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}
