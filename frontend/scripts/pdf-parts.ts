/** Serves and ships what pdf.js fetches by name: character maps, fonts, decoders, colour profiles, icons. */
import { cpSync, createReadStream, existsSync } from 'node:fs'
import { join, normalize } from 'node:path'
import type { Plugin } from 'vite'

const PARTS = ['cmaps', 'standard_fonts', 'wasm', 'iccs']
const PACKAGE = join(import.meta.dirname, '../node_modules/pdfjs-dist')

export function pdfParts(): Plugin {
  return {
    name: 'pdf-parts',
    configureServer(server) {
      server.middlewares.use('/pdfjs', (request, response, next) => {
        const path = normalize((request.url ?? '').split('?')[0] ?? '')
        const known = PARTS.some((part) => path.startsWith(`/${part}/`)) && existsSync(join(PACKAGE, path))
        if (known) createReadStream(join(PACKAGE, path)).pipe(response)
        else next()
      })
    },
    writeBundle(options) {
      for (const part of PARTS)
        cpSync(join(PACKAGE, part), join(options.dir ?? 'dist', 'pdfjs', part), { recursive: true })
    },
  }
}
