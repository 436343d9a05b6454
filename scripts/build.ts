/**
 * Builds dist/: three entries bundled with their libraries, because most of a start goes into opening files; the licences
 * of those libraries; and the type declarations.
 */
import { spawnSync } from 'node:child_process'
import { chmodSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { bundle } from './bundle.ts'

process.chdir(fileURLToPath(new URL('..', import.meta.url)))
rmSync('dist', { recursive: true, force: true })

const modules = await bundle('dist', {
  index: 'src/index.ts',
  'cli/toolpact': 'src/cli/toolpact.ts',
  'processes/read-pdf': 'src/capabilities/documents/read-pdf-process.ts',
})
chmodSync('dist/cli/toolpact.js', 0o755)
writeFileSync('dist/THIRD-PARTY-LICENSES.txt', toLicences(modules))

const types = spawnSync('tsc', ['--project', 'tsconfig.build.json'], {
  stdio: 'inherit',
  shell: process.platform === 'win32',
})
process.exit(types.status ?? 1)

function toLicences(modules: readonly string[]): string {
  const folders = modules.map((id) => /.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+/.exec(id)?.[0])
  return [...new Set(folders)]
    .filter((folder) => folder !== undefined)
    .sort()
    .map((folder) => {
      const { name, version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
      const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry))
      if (!file) throw new Error(`${name} has no licence file; it cannot be bundled`)
      return `${name} ${version}\n\n${readFileSync(join(folder, file), 'utf8').trim()}\n`
    })
    .join(`\n${'-'.repeat(80)}\n\n`)
}
