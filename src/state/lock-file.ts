import { hash } from 'node:crypto'
import { lstatSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { readFileIfThere, replaceConfigFile } from './config-file.ts'
import { withFileLock } from './file-lock.ts'
import { makePrivateDirectory } from './private-file.ts'
import { StateError } from './state-error.ts'

/** A `toolpact.lock`. The caller defines its format. */
export interface LockFile<Content> {
  readonly path: string
  /** Undefined if there is no file. Throws a `StateError` if it cannot be used. */
  load(): Content | undefined
  /** Replaces the content atomically, serialized across processes. */
  change(make: (content: Content | undefined) => Content): Promise<Content>
}

export interface LockFileOptions<Content> {
  readonly path: string
  /** The state directory, for the file that serializes changes; it does not belong in a project. */
  readonly directory: () => string
  /** Error messages complete a sentence that starts with the file name. */
  readonly read: (bytes: Uint8Array) => Content
  readonly write: (content: Content) => string
}

const timeoutMs = 10_000
const maxBytes = 268_435_456

export function openLockFile<Content>(options: LockFileOptions<Content>): LockFile<Content> {
  const { directory, read, write } = options
  const path = resolve(options.path)

  let known: { readonly version: string; readonly content: Content } | undefined

  function loadBytes(): Buffer | undefined {
    try {
      return readFileIfThere(path)
    } catch (cause) {
      throw toLockError(path, cause)
    }
  }

  function parse(bytes: Uint8Array): Content {
    try {
      return read(bytes)
    } catch (cause) {
      throw toLockError(path, cause)
    }
  }

  return {
    path,
    load() {
      const version = versionOf(path)
      if (version === undefined) return undefined
      if (known?.version === version) return known.content
      const bytes = loadBytes()
      const content = bytes && parse(bytes)
      known = content && { version, content }
      return content
    },
    async change(make) {
      const state = directory()
      makePrivateDirectory(state)
      const turn = join(state, `lock-${hash('sha256', path).slice(0, 16)}.lock`)
      return withFileLock(turn, timeoutMs, () => {
        versionOf(path)
        const before = loadBytes()
        const content = make(before && parse(before))
        const text = write(content)
        if (before?.toString('utf8') === text) return content
        // A file that cannot be read again would withhold every tool.
        read(Buffer.from(text))
        replaceConfigFile(path, before, text)
        return content
      })
    },
  }
}

/**
 * Identifies the content without reading it; undefined if there is no file. Throws for anything but a regular file: reading
 * a FIFO would block, and a symlink could point anywhere.
 */
function versionOf(path: string): string | undefined {
  try {
    const seen = lstatSync(path, { bigint: true, throwIfNoEntry: false })
    if (!seen) return undefined
    if (!seen.isFile()) throw new Error('is not a regular file')
    if (seen.size > maxBytes) throw new Error(`has more than ${maxBytes} bytes`)
    return [seen.dev, seen.ino, seen.size, seen.mtimeNs, seen.ctimeNs].join(' ')
  } catch (cause) {
    throw toLockError(path, cause)
  }
}

const advice =
  'Take it back from version control, or move it away and review every tool anew with toolpact lock. Until then no tool of a server is used.'

export function toLockError(path: string, cause: unknown): StateError {
  const { code, message } = cause as NodeJS.ErrnoException
  const fault = code === undefined ? message : `cannot be read (${code})`
  return new StateError(`The lock ${path} ${fault}. ${advice}`, { cause })
}
