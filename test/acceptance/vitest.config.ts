import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { sharedConfig } from '../setup/shared-config.ts'

/** `npm run acceptance`: real clients and real servers, which take minutes. */
export default defineConfig({
  test: {
    ...sharedConfig,
    root: fileURLToPath(new URL('../..', import.meta.url)),
    include: ['test/{acceptance,real-servers}/**/*.test.ts'],
    // Clients have time limits of their own, and would miss them if many started at once.
    fileParallelism: false,
    testTimeout: 180_000,
    hookTimeout: 600_000,
  },
})
