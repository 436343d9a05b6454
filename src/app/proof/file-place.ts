import { closeSync, fstatSync, fsyncSync, openSync, readSync, writeSync } from 'node:fs'
import { type Checkpoint, parseCheckpoints } from '../../runtime/storage/proof/checkpoint.ts'
import { isSame } from '../../runtime/storage/proof/verify-tree.ts'
import { replaceFile } from '../../state/replace-file.ts'
import { type CheckpointPlace, ContradictionError } from './checkpoint-places.ts'

/** Of the end of the file. Older checkpoints are implied by the newer ones. */
const maxBytesRead = 262_144

/** Keeps checkpoints in a file. It never writes one that contradicts the last in the file. */
export function openFilePlace(path: string, write: 'append' | 'replace'): CheckpointPlace {
  return {
    name: `the file ${path}`,
    async send({ checkpoint, note, rootAt }) {
      const last = readEnd(path).at(-1)
      if (last?.origin === checkpoint.origin) {
        const root = await rootAt(last.size)
        if (!root || !isSame(root, last.root))
          throw new ContradictionError(`its last checkpoint, of ${last.size} entries, is not part of this ledger, which has ${checkpoint.size}: the ledger was truncated, rolled back or rewritten. Run toolpact ledger --verify`) // biome-ignore format: one line
        // Another process was faster.
        if (last.size >= checkpoint.size) return undefined
      }
      if (write === 'replace') await replaceFile(path, note)
      else append(path, note)
      return undefined
    },
    async read(origin) {
      return readEnd(path).filter((checkpoint) => checkpoint.origin === origin)
    },
  }
}

function append(path: string, note: string) {
  const file = openSync(path, 'a', 0o600)
  try {
    writeSync(file, note)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}

/** The last checkpoints of the file; none if there is no file. Throws if they cannot be read. */
function readEnd(path: string): Checkpoint[] {
  const text = readText(path)
  if (text === '') return []
  const checkpoints = parseCheckpoints(text)
  if (!checkpoints)
    throw new Error(`the file ${path} has something else than checkpoints in it. Move it away and keep it`)
  return checkpoints
}

function readText(path: string): string {
  let file: number
  try {
    file = openSync(path, 'r')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return ''
    throw error
  }
  try {
    const { size } = fstatSync(file)
    const start = Math.max(0, size - maxBytesRead)
    const bytes = Buffer.alloc(size - start)
    readSync(file, bytes, 0, bytes.length, start)
    const text = bytes.toString('utf8')
    // The first checkpoint of a part is cut off.
    const cut = start === 0 ? -1 : text.search(/(?<=^— [^\n]*\n)(?!— )/m)
    return cut === -1 ? text : text.slice(cut)
  } finally {
    closeSync(file)
  }
}
