import { defineConfig } from 'vitest/config'
import { sharedConfig } from './test/setup/shared-config.ts'

export default defineConfig({
  test: {
    ...sharedConfig,
    include: ['src/**/*.test.ts', 'test/**/*.test.ts', 'bench/**/*.test.ts'],
    // They take minutes, and have commands of their own: npm run acceptance, browser, conformance, faults, package and postgres.
    // Tests of large inputs are run by npm run faults.
    exclude: ['**/node_modules/**', '**/large-*.test.ts', ...['acceptance', 'browser', 'conformance', 'faults', 'package', 'postgres', 'real-servers'].map((folder) => `test/${folder}/**`)], // biome-ignore format: one line
    setupFiles: ['test/setup/fixed-seed.ts'],
    isolate: false,
    // Most tests wait for processes of their own, so there may be more of them at once than cores.
    maxWorkers: 6,
    testTimeout: 180_000,
    hookTimeout: 180_000,
    coverage: {
      include: ['src/toolsets/**/*.ts', 'src/tool-parts/**/*.ts'],
      // What reaches the outside world is tested in processes of its own, where nothing is counted.
      exclude: ['**/*.test.ts', '**/*.test-d.ts', 'src/toolsets/*/capability/**'],
      reporter: ['text'],
      thresholds: { lines: 95, perFile: true },
    },
  },
})
