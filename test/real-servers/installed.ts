import { createHash } from 'node:crypto'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { installPackages, toCacheFolder } from '../../bench/peer.ts'
import { installedAsOf, realServers } from './servers.ts'

const packages = realServers.map((server) => `${server.package}@${server.version}`)
const digest = createHash('sha256')
  .update([installedAsOf, ...packages].join('\n'))
  .digest('hex')
const folder = toCacheFolder(`real-servers-${digest.slice(0, 12)}`)
// Written last, so that what was interrupted is begun anew.
const mark = join(folder, 'complete')

export function hasRealServers(): boolean {
  return existsSync(mark)
}

/** Installs all servers of the list into the cache outside the repository, unless they are there. */
export function installRealServers(): void {
  if (hasRealServers()) return
  rmSync(folder, { recursive: true, force: true })
  installPackages(folder, packages, { before: installedAsOf })
  writeFileSync(mark, '')
}

/** The program that a package brings. */
export function findProgram(name: string): string {
  const home = join(folder, 'node_modules', name)
  const { bin } = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8')) as { bin: string | object }
  return join(home, typeof bin === 'string' ? bin : Object.values(bin)[0])
}
