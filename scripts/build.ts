/**
 * Builds dist/: two entries bundled with their libraries, because start-up time goes into opening files, and the type
 * declarations beside them.
 */
import { spawnSync } from 'node:child_process'
import { chmodSync, rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'

process.chdir(fileURLToPath(new URL('..', import.meta.url)))
rmSync('dist', { recursive: true, force: true })

const bundle = await rolldown({
  input: { index: 'src/index.ts', 'cli/toolpact': 'src/cli/toolpact.ts' },
  platform: 'node',
  external: ['@vscode/ripgrep'],
})
await bundle.write({ dir: 'dist', format: 'esm', chunkFileNames: 'chunks/[name]-[hash].js' })
await bundle.close()
chmodSync('dist/cli/toolpact.js', 0o755)

const types = spawnSync('tsc', ['--project', 'tsconfig.build.json'], {
  stdio: 'inherit',
  shell: process.platform === 'win32',
})
process.exit(types.status ?? 1)
