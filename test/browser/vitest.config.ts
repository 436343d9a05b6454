import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { reporters } from '../setup/reporters.ts'

/** `npm run browser`: the console in Chromium. Skips by name where Chromium is absent. */
export default defineConfig({
  test: {
    root: fileURLToPath(new URL('../..', import.meta.url)),
    include: ['test/browser/**/*.test.ts'],
    globalSetup: ['test/setup/bundle-programs.ts'],
    reporters,
    fileParallelism: false,
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
})
