import { chmodSync, cpSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { bundle } from '../../scripts/bundle.ts'
import { bundleConsole } from '../../scripts/bundle-console.ts'
import { processes } from '../../scripts/entry-points.ts'
import { programs } from './programs.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** Bundles the programs that tests run as processes: see test/setup/programs.ts. Returns the cleanup. */
export default async function bundlePrograms() {
  // Already done by test/setup/run.ts.
  if (process.env.TOOLPACT_TEST_BUNDLE) return () => {}
  const folder = mkdtempSync(join(tmpdir(), 'toolpact-bundle-'))
  // Some run as another user.
  chmodSync(folder, 0o755)
  // As in the package: two folders below package.json, next to unbundled files.
  cpSync(join(root, 'package.json'), join(folder, 'package.json'))
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'), 'junction')
  const { toolpact, odd, commands, ...others } = Object.fromEntries(
    Object.entries(programs).map(([name, source]) => [name, { [`cli/${name}`]: source }]),
  )
  // The command is bundled separately, so that it does not share chunks with test programs.
  const { 'cli/toolpact': _, ...started } = processes
  await bundle(join(folder, 'dist'), { ...toolpact, ...odd, ...commands, ...started })
  await bundle(join(folder, 'dist'), Object.assign({}, ...Object.values(others)))
  await bundleConsole(join(folder, 'dist', 'console'))
  // Cache compiled code between starts.
  process.env.NODE_COMPILE_CACHE = join(folder, 'compiled')
  process.env.TOOLPACT_TEST_BUNDLE = join(folder, 'dist', 'cli')
  return () => rmSync(folder, { recursive: true, force: true })
}
