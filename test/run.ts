/**
 * Runs all tests: those of the toolsets, with the coverage that they alone must reach, then all others. The programs that
 * both run are bundled once.
 */
import { spawnSync } from 'node:child_process'
import bundlePrograms from './bundle-programs.ts'

const runs = [
  ['run', '--coverage', 'src/toolsets'],
  ['run', '--exclude', 'src/toolsets/**'],
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
