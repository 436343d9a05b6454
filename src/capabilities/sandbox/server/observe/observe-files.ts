/**
 * Which files a confined server looked for in vain. A sandbox refuses nothing that could be counted: what was not granted is
 * not there. So a few lines of code run in the server's own process, if that is Node or Python, and write down the paths that
 * it did not get, in its home directory. It is an observation and never a boundary: what they report is a claim of the server,
 * is bounded, and can at most propose a grant that a person reviews.
 */
import { closeSync, constants, type FSWatcher, fstatSync, mkdirSync, openSync, readSync, rmSync, watch } from 'node:fs'
import { join } from 'node:path'
import { isInside } from '../../../../policy/path.ts'
import { writePrivateFile } from '../../../../state/private-file.ts'
import { nodeObserver } from './node-observer.ts'
import { pythonObserver } from './python-observer.ts'

/** A path that a server claims to have tried. */
export interface TriedFile {
  readonly path: string
  readonly access: 'read' | 'write'
}

interface ObservedServer {
  /** Its own folder, in the state directory, and its home directory in there. */
  readonly folder: string
  readonly home: string
  readonly words: readonly string[]
  readonly environment: { readonly [name: string]: string }
  /** Folders that it may see. */
  readonly granted: readonly string[]
  readonly onTried: (tried: TriedFile) => void
}

/** Observes one start of a server. */
export interface Observer {
  readonly variables: { readonly [name: string]: string }
  /** What the server must be able to read. */
  readonly readable: readonly string[]
  /** Reports what is new, at once. */
  drain(): void
  /** Reports while the server runs. Returns a function that ends it. */
  watch(): () => void
}

let starts = 0

/**
 * Prepares a start. Undefined where it cannot work: what is in the state directory is hidden from a server that was granted the
 * folder around it.
 */
export function openObserver(server: ObservedServer): Observer | undefined {
  const { folder, home, words, environment, granted, onTried } = server
  if (granted.some((path) => isInside(path, folder, process.platform))) return undefined
  // The server can write neither.
  const code = join(folder, 'observe')
  const script = join(code, 'observe.cjs')
  mkdirSync(code, { recursive: true, mode: 0o700 })
  writePrivateFile(script, nodeObserver)
  writePrivateFile(join(code, 'sitecustomize.py'), pythonObserver)
  const { NODE_OPTIONS: options, PYTHONPATH: path } = environment
  // Node's own permissions would refuse to load it, and the server would not start.
  const isLimited = [...words, options ?? ''].some((word) => /--(?:experimental-)?permission\b/.test(word))
  const name = `.toolpact-tried-${process.pid}-${starts++}`
  const reader = new ReportReader(join(home, name), onTried)
  return {
    variables: {
      TOOLPACT_TRIED: name,
      ...(!isLimited && { NODE_OPTIONS: `${options ? `${options} ` : ''}--require ${JSON.stringify(script)}` }),
      PYTHONPATH: path ? `${code}:${path}` : code,
    },
    readable: [code],
    drain: () => reader.drain(),
    watch: () => reader.watch(),
  }
}

const maxBytes = 256 * 1024

/** Reads a file that the server can replace with anything. */
class ReportReader {
  readonly #path: string
  readonly #onTried: (tried: TriedFile) => void
  #offset = 0
  #rest = ''

  constructor(path: string, onTried: (tried: TriedFile) => void) {
    this.#path = path
    this.#onTried = onTried
    rmSync(path, { force: true, recursive: true })
    closeSync(openSync(path, 'wx', 0o600))
  }

  drain(): void {
    const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants
    try {
      // A link is not followed, and a pipe not waited for.
      const file = openSync(this.#path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
      try {
        const stats = fstatSync(file)
        if (stats.isFile()) this.#read(file, Math.min(stats.size, maxBytes) - this.#offset)
      } finally {
        closeSync(file)
      }
    } catch {
      // The server removed it: then nothing is observed.
    }
  }

  watch(): () => void {
    let watcher: FSWatcher | undefined
    try {
      watcher = watch(this.#path, { persistent: false }, () => this.drain()).on('error', () => {})
    } catch {
      // Without it, reports are read when a call fails and when the server ends.
    }
    return () => {
      watcher?.close()
      this.drain()
      rmSync(this.#path, { force: true, recursive: true })
    }
  }

  #read(file: number, size: number) {
    if (size <= 0) return
    const buffer = Buffer.alloc(size)
    const length = readSync(file, buffer, 0, size, this.#offset)
    this.#offset += length
    const lines = `${this.#rest}${buffer.toString('utf8', 0, length)}`.split('\n')
    this.#rest = lines.pop()!
    for (const line of lines) {
      const [, access, path] = /^([rw]) (\/.{0,1024})$/.exec(line) ?? []
      if (path !== undefined) this.#onTried({ path, access: access === 'w' ? 'write' : 'read' })
    }
  }
}
