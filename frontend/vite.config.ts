import react from '@vitejs/plugin-react'
import { defineConfig } from 'vitest/config'
import { pdfParts } from './scripts/pdf-parts.ts'

const api = process.env.DOCMIND_API ?? 'http://127.0.0.1:8000'

export default defineConfig({
  resolve: { alias: { '@': new URL('./src', import.meta.url).pathname } },
  plugins: [react(), pdfParts()],
  // The server checks that Origin and Host agree, so the proxy must not change either.
  server: { proxy: { '/api': { target: api } } },
  build: {
    target: 'es2023',
    // A data: URL would need a wider content security policy for fonts and images.
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 1_500,
    manifest: 'assets/manifest.json',
  },
  test: {
    // Tests that touch a page say `@vitest-environment jsdom` themselves: it takes seconds to start.
    environment: 'node',
    include: ['src/**/*.test.{ts,tsx}'],
    css: false,
    restoreMocks: true,
  },
})
