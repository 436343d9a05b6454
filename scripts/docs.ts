/** Builds the documentation site from docs/ into dist-site/; `npm run docs -- dev` serves it while you write. */
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const site = fileURLToPath(new URL('../site', import.meta.url))
const [command = 'build', ...rest] = process.argv.slice(2)
// Apart from the package, so that npm ci does not install it.
if (!isInstalled()) run('npm', ['ci', '--ignore-scripts'])
run(process.execPath, ['node_modules/vitepress/bin/vitepress.js', command, '.', ...rest])

function isInstalled(): boolean {
  const installed = `${site}/node_modules/vitepress/package.json`
  const { devDependencies } = JSON.parse(readFileSync(`${site}/package.json`, 'utf8'))
  return existsSync(installed) && JSON.parse(readFileSync(installed, 'utf8')).version === devDependencies.vitepress
}

function run(program: string, args: readonly string[]): void {
  const { status } = spawnSync(program, args, { cwd: site, stdio: 'inherit', shell: process.platform === 'win32' })
  if (status !== 0) process.exit(status ?? 1)
}
