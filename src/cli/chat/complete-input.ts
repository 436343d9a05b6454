import { readdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { CompleterResult } from 'node:readline'
import { findHidden } from '../../contract/text/hidden-characters.ts'

/** More candidates than this are not listed. */
const maxFound = 100

interface CompleteOptions {
  readonly commands: readonly string[]
  /** Files are completed in this folder. */
  readonly folder: string
}

/** What Tab completes: slash commands at the start of the line, otherwise the path that ends it. */
export async function completeInput(line: string, { commands, folder }: CompleteOptions): Promise<CompleterResult> {
  if (/^\/\S*$/.test(line)) return [commands.map((name) => `/${name}`).filter((name) => name.startsWith(line)), line]
  const [word] = /[^\s"'`@]*$/.exec(line)!
  if (word === '' || word.startsWith('/') || word.split('/').includes('..')) return [[], word]
  const start = word.slice(word.lastIndexOf('/') + 1)
  const parent = word.slice(0, word.length - start.length)
  const entries = await readdir(join(folder, dirname(`${parent}x`)), { withFileTypes: true }).catch(() => [])
  const found = entries
    .filter(({ name }) => name.startsWith(start) && (start.startsWith('.') || !name.startsWith('.')))
    // The candidates are printed as they are, and words end at spaces.
    .filter(({ name }) => findHidden(name, 'exact') === undefined && !/\s/.test(name))
    .map((entry) => `${parent}${entry.name}${entry.isDirectory() ? '/' : ''}`)
  return [found.sort().slice(0, maxFound), word]
}
