import { constants } from 'node:fs'
import { join } from 'node:path'
import { toShownPath } from '../contract/text/shown-path.ts'
import { compilePathFilter, type PathGlobs } from '../policy/path-filter.ts'
import { type AppendedEntry, type AppendOptions, append, checkAppend } from './files/append.ts'
import { type Confinement, type ConfinementOptions, type Errand, openConfinement } from './files/confinement.ts'
import { type CreatedFile, checkCreate, createExclusive } from './files/create-exclusive.ts'
import { fileError, toDenied, toFileError } from './files/file-error.ts'
import { chooseHold, type Held } from './files/held.ts'
import { checkRead, holdFile } from './files/hold-file.ts'
import { type FileIdentity, toIdentity } from './files/identity.ts'
import { openLineCounts } from './files/line-counts.ts'
import { checkList, type Listing, type ListOptions, list } from './files/list.ts'
import { type LineRange, type ReadLinesOptions, readChunks, readLines } from './files/read-lines.ts'
import { checkReplace, type ReplacedFile, replace } from './files/replace.ts'

/**
 * The files of one working directory. A path is relative to it, or absolute and inside it. Every method checks at the
 * time of use that the file is inside; it fails with a `ToolError` whose code is a `FileErrorCode`.
 */
export interface Files {
  /** The real path of the working directory. */
  readonly root: string
  /** The real path of a file that need not exist, to show to people. */
  locate(path: string): Promise<Location>
  stat(path: string): Promise<FileStat>
  readLines(path: string, options?: ReadLinesOptions): Promise<LineRange>
  readWhole(path: string, options?: ReadWholeOptions): Promise<WholeFile>
  createExclusive(path: string, bytes: Uint8Array, options?: PlaceOptions): Promise<CreatedFile>
  replace(path: string, bytes: Uint8Array, expected: FileIdentity, options?: PlaceOptions): Promise<ReplacedFile>
  append(path: string, entry: Uint8Array, options?: AppendOptions): Promise<AppendedEntry>
  list(path: string, options?: ListOptions): Promise<Listing>
  createDirectory(path: string, options?: PlaceOptions): Promise<CreatedDirectory>
  /** Each fails as the method of that name would, as far as can be known without reading or writing a file. */
  readonly check: FileChecks
}

/** Constraints that a write checks at the time of use. */
type PlaceOptions = Pick<Errand, 'place'>

interface FileChecks {
  read(path: string): Promise<undefined>
  createExclusive(path: string): Promise<undefined>
  replace(path: string): Promise<undefined>
  append(path: string): Promise<undefined>
  list(path: string): Promise<undefined>
  createDirectory(path: string): Promise<undefined>
}

interface Location {
  /** From the root, with `/`. */
  readonly path: string
  /** Absolute, with symlinks resolved as far as the path exists. */
  readonly real: string
  readonly exists: boolean
}

interface FileStat {
  readonly path: string
  readonly kind: 'file' | 'directory' | 'other'
  readonly size: number
  readonly modified: Date
  readonly mode: number
}

interface CreatedDirectory {
  readonly path: string
  readonly real: string
  /** False if it existed already. */
  readonly created: boolean
  /** Parent directories that were created, outermost first. */
  readonly createdParents: readonly string[]
}

export interface FilesOptions extends ConfinementOptions {
  /** Where locks and line counts of appends are stored. Without it, only one process should append to a file. */
  readonly appends?: string
}

/**
 * @example
 * const files = openFiles({ root: '.' })
 * const { text, totalLines } = await files.readLines('package.json', { start: 1, end: 3 })
 */
export function openFiles(options: FilesOptions): Files {
  const hold = options.hold ?? chooseHold()
  const confinement = openConfinement({ ...options, hold })
  const counts = openLineCounts(options.appends)
  return {
    root: confinement.root,
    async locate(path) {
      const { held, missing } = confinement.holdExisting({ action: 'read', path })
      held.close()
      const real = join(held.real, ...missing)
      return { path: confinement.toRelative(real), real, exists: missing.length === 0 }
    },
    async stat(path) {
      const held = confinement.hold({ action: 'read', path })
      held.close()
      const { size, mtimeMs, mode } = held.stats
      return {
        path: confinement.toRelative(held.real),
        kind: held.stats.isFile() ? 'file' : held.stats.isDirectory() ? 'directory' : 'other',
        size: Number(size),
        modified: new Date(Number(mtimeMs)),
        mode: Number(mode) & 0o7777,
      }
    },
    readLines: (path, readOptions) => readLines(confinement, path, readOptions),
    readWhole: (path, readOptions) => readWhole(confinement, path, readOptions),
    createExclusive: (path, bytes, place) => createExclusive(confinement, path, { ...place, bytes }),
    replace: (path, bytes, expected, place) => replace(confinement, path, { ...place, bytes, expected, hold }),
    append: (path, entry, appendOptions) => append(confinement, path, { ...appendOptions, entry, counts }),
    list: (path, listOptions) => list(confinement, path, listOptions),
    async createDirectory(path, place) {
      const errand = { action: 'make', path, ...place } as const
      const { directory, created } = confinement.makeDirectory(errand)
      directory.close()
      confinement.requirePlace(directory.real, errand)
      const parents = created.filter((real) => real !== directory.real)
      return {
        path: confinement.toRelative(directory.real),
        real: directory.real,
        created: parents.length < created.length,
        createdParents: parents.map(confinement.toRelative),
      }
    },
    check: {
      read: (path) => checkRead(confinement, path),
      createExclusive: (path) => checkCreate(confinement, { action: 'create', path }),
      replace: (path) => checkReplace(confinement, path),
      append: (path) => checkAppend(confinement, path),
      list: (path) => checkList(confinement, path),
      async createDirectory(path) {
        confinement.planDirectory({ action: 'make', path }).directory.close()
      },
    },
  }
}

interface ReadWholeOptions {
  /** Default: 10 MiB. A larger file fails with `file_too_large`. */
  readonly maxBytes?: number
  /** Closes further paths; they fail with `permission_denied`, whether they exist or not. */
  readonly open?: PathGlobs
  readonly signal?: AbortSignal
}

interface WholeFile {
  /** From the root, with `/`. */
  readonly path: string
  readonly bytes: Uint8Array
  /** Pass it to `replace`, which refuses the file if it has changed since. */
  readonly identity: FileIdentity
}

async function readWhole(
  confinement: Confinement,
  path: string,
  { maxBytes = 10_485_760, open, signal }: ReadWholeOptions = {},
): Promise<WholeFile> {
  const held = open ? holdOpenFile(confinement, path, open) : holdFile(confinement, { action: 'read', path })
  try {
    const handle = await held.open(constants.O_RDONLY)
    try {
      const stats = await handle.stat({ bigint: true })
      if (stats.size > maxBytes)
        throw fileError('file_too_large', `File '${toShownPath(path)}' is larger than ${maxBytes} bytes`)
      const chunks: Buffer[] = []
      for await (const chunk of readChunks(handle, Number(stats.size), signal)) chunks.push(Buffer.from(chunk))
      const bytes = Buffer.concat(chunks)
      return { path: confinement.toRelative(held.real), bytes, identity: toIdentity(stats, bytes) }
    } finally {
      await handle.close()
    }
  } catch (error) {
    throw toFileError(error, 'read', path)
  } finally {
    held.close()
  }
}

/** Checked on the given names before any lookup, then on what they resolve to. */
function holdOpenFile(confinement: Confinement, path: string, globs: PathGlobs): Held {
  const errand = { action: 'read', path, filter: compilePathFilter(globs) } as const
  if (errand.filter(confinement.decide(path)) !== 'open') throw toDenied('read', path)
  const held = holdFile(confinement, errand)
  if (errand.filter(confinement.toNames(held.real)) === 'open') return held
  held.close()
  throw toDenied('read', path)
}
