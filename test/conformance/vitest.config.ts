import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { sharedConfig } from '../setup/shared-config.ts'

/** `npm run conformance`: the official MCP conformance suites and the MCP Inspector. */
export default defineConfig({
  test: {
    ...sharedConfig,
    root: fileURLToPath(new URL('../..', import.meta.url)),
    include: ['test/conformance/**/*.test.ts'],
    // The suites have time limits of their own, and would miss them if many ran at once.
    fileParallelism: false,
    testTimeout: 180_000,
    hookTimeout: 180_000,
  },
})
