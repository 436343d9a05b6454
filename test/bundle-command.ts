import { cpSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { bundle } from '../scripts/bundle.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

/** Bundles the command once for all tests that run it: from its sources it takes five times as long to start. */
export default async function bundleCommand() {
  const folder = mkdtempSync(join(tmpdir(), 'toolpact-bundle-'))
  // As in the package: two folders below package.json, beside what is not bundled.
  cpSync(join(root, 'package.json'), join(folder, 'package.json'))
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'), 'junction')
  await bundle(join(folder, 'dist'), { 'cli/toolpact': 'src/cli/toolpact.ts', 'cli/odd': 'test/odd-command.ts' })
  process.env.TOOLPACT_TEST_BUNDLE = join(folder, 'dist', 'cli')
  return () => rmSync(folder, { recursive: true, force: true })
}
