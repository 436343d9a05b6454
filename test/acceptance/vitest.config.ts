import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { reporters } from '../setup/reporters.ts'

/** `npm run acceptance`: real clients and real servers, which take minutes. */
export default defineConfig({
  test: {
    root: fileURLToPath(new URL('../..', import.meta.url)),
    include: ['test/acceptance/**/*.test.ts'],
    globalSetup: ['test/setup/bundle-programs.ts'],
    reporters,
    // Clients have time limits of their own, and would miss them if many started at once.
    fileParallelism: false,
    testTimeout: 180_000,
    hookTimeout: 600_000,
  },
})
