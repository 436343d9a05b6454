import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

/** A package to compare with, installed from the registry into a cache outside the repository when first asked for. */
export async function importPeer<Module>(name: string, version: string): Promise<Module> {
  const cache = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'toolpact-bench')
  const folder = join(cache, `${name.replace('/', '-')}-${version}`)
  if (!existsSync(join(folder, 'node_modules', name))) {
    console.log(`Installing ${name} ${version} into ${folder} …`)
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, 'package.json'), '{ "private": true }')
    const options = ['--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error']
    execFileSync('npm', ['install', ...options, `${name}@${version}`], {
      cwd: folder,
      stdio: ['ignore', 'ignore', 'inherit'],
      shell: process.platform === 'win32',
    })
  }
  const entry = createRequire(join(folder, 'package.json')).resolve(name)
  return import(pathToFileURL(entry).href)
}
