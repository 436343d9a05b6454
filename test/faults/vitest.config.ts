import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

/** `npm run faults`: full disks and a ledger of a million entries, which take too long for every change. */
export default defineConfig({
  test: {
    root: fileURLToPath(new URL('../..', import.meta.url)),
    include: ['test/faults/**/*.test.ts'],
    globalSetup: ['test/bundle-programs.ts'],
    fileParallelism: false,
    testTimeout: 110_000,
    hookTimeout: 60_000,
  },
})
