import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { sharedConfig } from '../setup/shared-config.ts'

/** `npm run package`: what users do with the package and the repository: install, run by npx, confine servers from a registry, follow a page to the letter. */
export default defineConfig({
  test: {
    ...sharedConfig,
    root: fileURLToPath(new URL('../..', import.meta.url)),
    include: ['test/package/**/*.test.ts'],
    maxWorkers: 2,
    testTimeout: 600_000,
    hookTimeout: 600_000,
  },
})
