import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import config from '../../vitest.config.ts'

/** All tests of a mutated file count, those of large inputs too. */
export default defineConfig({
  test: {
    ...config.test,
    root: fileURLToPath(new URL('../..', import.meta.url)),
    exclude: config.test?.exclude?.filter((pattern) => !pattern.includes('/large-')),
  },
})
