import { fromBase64, parseNote, type SignedNote, toBase64 } from './signed-note.ts'
import type { TreeHead } from './verify-tree.ts'

/** A checkpoint of C2SP (tlog-checkpoint): a signed note about the size and the root of a log's tree. */
export interface Checkpoint extends TreeHead {
  /** Identifies the log. */
  readonly origin: string
  readonly note: SignedNote
}

/** The text to sign. */
export function toCheckpointText(origin: string, { size, root }: TreeHead): string {
  return `${origin}\n${size}\n${toBase64(root)}\n`
}

/** Undefined if it is not exactly a checkpoint. Signatures are not verified. */
export function parseCheckpoint(text: string): Checkpoint | undefined {
  const note = parseNote(text)
  if (!note) return undefined
  const [origin = '', count = '', encoded = '', ...more] = note.text.slice(0, -1).split('\n')
  const root = fromBase64(encoded)
  const size = Number(count)
  if (!origin || !/^(0|[1-9]\d*)$/.test(count) || !Number.isSafeInteger(size) || root?.length !== 32) return undefined
  return more.includes('') ? undefined : { origin, size, root, note }
}

/** Splits a file of checkpoints, one after the other. Undefined if something in it is not a checkpoint. */
export function parseCheckpoints(text: string): Checkpoint[] | undefined {
  // A signature line ends a checkpoint, unless another signature follows.
  const notes = text.split(/(?<=^— [^\n]*\n)(?!— )/m).filter((note) => note !== '')
  const checkpoints = notes.map(parseCheckpoint).filter((checkpoint) => checkpoint !== undefined)
  return checkpoints.length === notes.length && notes.length > 0 ? checkpoints : undefined
}
