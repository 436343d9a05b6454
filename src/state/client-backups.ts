import { hash } from 'node:crypto'
import { rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import { makePrivateDirectory, readPrivateFile, writePrivateFile } from './private-file.ts'

/** Backups of client config files from before Toolpact was added to them. */
export interface ClientBackups {
  keep(path: string, bytes: Uint8Array): string
  find(path: string): { readonly at: string; readonly bytes: Uint8Array } | undefined
  remove(path: string): void
}

/** Stored in the state directory rather than beside the files: they may contain keys, and project files get committed. */
export function openClientBackups({ directory }: { readonly directory: string }): ClientBackups {
  const folder = join(directory, 'clients')
  const toPlace = (path: string) => join(folder, `${hash('sha256', path).slice(0, 16)}-${basename(path)}`)
  return {
    keep(path, bytes) {
      makePrivateDirectory(directory)
      makePrivateDirectory(folder)
      writePrivateFile(toPlace(path), bytes)
      return toPlace(path)
    },
    find(path) {
      const at = toPlace(path)
      const bytes = readPrivateFile(at)
      return bytes && { at, bytes }
    },
    remove: (path) => rmSync(toPlace(path), { force: true }),
  }
}
