import { defineConfig } from 'vitest/config'

/** End to end: the real server, the scripted model and Chromium. One file at a time: each starts its own server. */
export default defineConfig({
  test: {
    environment: 'node',
    include: ['e2e/**/*.e2e.ts'],
    fileParallelism: false,
    testTimeout: 90_000,
    hookTimeout: 120_000,
    globalSetup: ['e2e/support/needs.ts'],
  },
})
