import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { sharedConfig } from '../setup/shared-config.ts'

/** `npm run postgres`: the storage in a real Postgres, which the tests start. Skipped where it is not installed. */
export default defineConfig({
  test: {
    ...sharedConfig,
    root: fileURLToPath(new URL('../..', import.meta.url)),
    include: ['test/postgres/**/*.test.ts'],
    fileParallelism: false,
    testTimeout: 180_000,
    hookTimeout: 300_000,
  },
})
