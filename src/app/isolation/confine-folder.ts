import { realpathSync } from 'node:fs'
import type { Confinement } from '../../host/connect/confinement.ts'
import { toAddress } from '../../host/to-address.ts'
import { isInside } from '../../policy/path.ts'
import { ConfigError } from '../config/config-error.ts'
import type { FolderEntry } from '../contract-folders/open-contract-folders.ts'
import { createIsolation, type IsolationOptions } from './create-isolation.ts'
import { toAbsolute } from './is-granted.ts'

/** How the handlers of a contract folder are confined. */
export interface FolderConfinement {
  readonly confinement: Confinement
  readonly env: { readonly [name: string]: string }
  /** Config, lock and contract folders. */
  readonly protectedPaths: () => readonly string[]
  /** Whether the sandbox shows something of the folder that tools work in. */
  readonly seesWorkspace: () => boolean
}

/** Confines the handlers of a contract folder as the process of a server is. Its own files stay read-only. */
export function confineFolder(
  name: string,
  entry: FolderEntry,
  options: IsolationOptions & { readonly workspace: string },
): FolderConfinement {
  const { folder, workspace, protectedPaths } = options
  const write = (entry.write ?? []).map((path) => toAbsolute(path, folder))
  if (write.some((path) => toReal(path) === entry.path))
    throw new ConfigError('"write" names the folder itself, and handlers must not change their own code and contracts. Name a folder in it') // biome-ignore format: one line
  const addressed = toAddress(name, { command: '/bin/sh', env: entry.env ?? {} }, { environment: process.env, folder })
  if ('fault' in addressed) throw new ConfigError(addressed.fault)
  const granted = [...(entry.read ?? []).map((path) => toAbsolute(path, folder)), ...write]
  const overlaps = (path: string) => isInside(path, workspace, process.platform) || isInside(workspace, path, process.platform) // biome-ignore format: one line
  return {
    confinement: createIsolation(options)(name, entry, 'contracts'),
    env: addressed.address.kind === 'stdio' ? addressed.address.env : {},
    protectedPaths,
    seesWorkspace: () => granted.some((path) => overlaps(toReal(path))),
  }
}

function toReal(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}
