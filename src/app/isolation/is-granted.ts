import { homedir } from 'node:os'
import { resolve } from 'node:path'
import type { Attempt } from '../../host/connect/confinement.ts'
import { type GrantedEntry, toGrants } from '../../host/lock/grants.ts'
import { isGrantedName } from '../../policy/granted-hosts.ts'
import { isInside } from '../../policy/path.ts'

/** Whether an entry allows by now what was refused before. `folder`: of the config. */
export function isGranted(entry: GrantedEntry, attempt: Attempt, folder: string): boolean {
  const grants = toGrants(entry)
  if (!grants) return true
  const { read, write, network } = grants
  if ('host' in attempt) return network === 'any' || isGrantedName(network, attempt.host)
  const usable = attempt.access === 'write' ? write : [...read, ...write]
  const path = toAbsolute(attempt.path, folder)
  return usable.some((each) => isInside(toAbsolute(each, folder), path, process.platform))
}

/** The path that a grant stands for. */
export function toAbsolute(path: string, folder: string): string {
  return resolve(folder, path.replace(/^~(?=\/|$)/, homedir()))
}
