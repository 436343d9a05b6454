import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

/** A package to compare with, installed on first use. */
export async function importPeer<Module>(name: string, version: string): Promise<Module> {
  return importFrom(installPeer(name, version), name)
}

/** Imports a module as a package in this folder would. */
export async function importFrom<Module>(folder: string, specifier: string): Promise<Module> {
  const entry = createRequire(join(folder, 'package.json')).resolve(specifier)
  return import(pathToFileURL(entry).href)
}

/** The folder of a package with its dependencies, in a cache outside the repository. */
export function installPeer(name: string, version: string, beside: readonly string[] = []): string {
  const folder = toCacheFolder(`${name.replace('/', '-')}-${version}`)
  const packages = [`${name}@${version}`, ...beside]
  if (!existsSync(join(folder, 'node_modules', name))) installPackages(folder, packages)
  return folder
}

/** A folder of that cache, which may not exist yet. */
export function toCacheFolder(name: string): string {
  return join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'toolpact-bench', name)
}

export interface InstallOptions {
  /** Resolve dependencies as of this date. */
  readonly before?: string
  /** Run the packages' install scripts. Default: false. */
  readonly runScripts?: boolean
}

/** Installs packages from the registry. */
export function installPackages(folder: string, packages: readonly string[], install: InstallOptions = {}): void {
  const { before, runScripts = false } = install
  console.log(`Installing ${packages.join(', ')} into ${folder} …`)
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), '{ "private": true }')
  const options = ['--no-audit', '--no-fund', '--loglevel=error']
  if (!runScripts) options.push('--ignore-scripts')
  if (before !== undefined) options.push(`--before=${before}`)
  execFileSync('npm', ['install', ...options, ...packages], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
    shell: process.platform === 'win32',
  })
}
