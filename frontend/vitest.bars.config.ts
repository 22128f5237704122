import { defineConfig } from 'vitest/config'

/** Speed and safety bars, measured in Chromium on made-up data: `npm run bars`. */
export default defineConfig({
  test: {
    environment: 'node',
    include: ['e2e/bars/*.bars.ts'],
    fileParallelism: false,
    testTimeout: 90_000,
    hookTimeout: 60_000,
    globalSetup: ['e2e/support/needs.ts'],
  },
})
