import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { sharedConfig } from '../setup/shared-config.ts'

/** `npm run faults`: full disks, a ledger of a million entries, many large pending questions, documents that exhaust memory, kills by the dozen, a hundred simulated replicas and what is named large, which take too long for every change. */
export default defineConfig({
  test: {
    ...sharedConfig,
    root: fileURLToPath(new URL('../..', import.meta.url)),
    include: ['test/faults/**/*.test.ts', '{src,test,bench}/**/large-*.test.ts'],
    fileParallelism: false,
    testTimeout: 180_000,
    hookTimeout: 300_000,
  },
})
