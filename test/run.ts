/**
 * Runs all tests: those of the toolsets, with the coverage that they alone must reach, then all others, and those of large
 * inputs with them: to count what is covered would take three times their time. The programs that both run are bundled once.
 */
import { spawnSync } from 'node:child_process'
import bundlePrograms from './bundle-programs.ts'

const runs = [
  ['run', '--coverage', 'src/toolsets', '--exclude', 'src/toolsets/**/large-*.test.ts'],
  ['run', '--exclude', 'src/toolsets/**/!(large-*).test.ts'],
]

const removeBundle = await bundlePrograms()
try {
  for (const args of runs) {
    const { status } = spawnSync('vitest', args, { stdio: 'inherit', shell: process.platform === 'win32' })
    if (status === 0) continue
    process.exitCode = status ?? 1
    break
  }
} finally {
  removeBundle()
}
