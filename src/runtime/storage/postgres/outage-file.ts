import { createHmac, hash, randomUUID } from 'node:crypto'
import { closeSync, fdatasyncSync, ftruncateSync, futimesSync, mkdirSync, openSync, readdirSync, readFileSync, renameSync, statSync, unlinkSync, writeSync } from 'node:fs' // biome-ignore format: one line
import { hostname } from 'node:os'
import { join } from 'node:path'

/** A record that could not be appended to the ledger. */
export interface OutageLine {
  /** The record as JSON. */
  readonly text: string
  /** The chain to which an append was tried without an answer, so that it may contain the record already. */
  readonly tried?: string | undefined
}

/** The file of one process for one outage. */
export interface OutageFile {
  readonly name: string
  readonly bytes: number
  readonly lines: readonly OutageLine[]
  /** Writes lines with one system call. Throws if they could not be written; then none is. */
  write(lines: readonly OutageLine[]): void
  /** Shows other processes that its owner lives. */
  touch(): void
  /** After the ledger took every line. */
  remove(): void
}

/** A file whose owner ended without merging it. */
export interface LeftFile {
  readonly name: string
  readonly lines: readonly OutageLine[]
  /** Number of lines that its owner did not write, or that were changed since; all from the first on. */
  readonly refused: number
  remove(): void
  /** Puts it aside, under the returned path. */
  refuse(): string
}

interface OutageFiles {
  open(): OutageFile
  /** Files of processes that ended. */
  findLeft(): LeftFile[]
}

interface OutageFilesOptions {
  readonly directory: string
  /** Of the ledger that the records belong to. */
  readonly ledgerId: string
  /** Authenticates lines. It is kept in the database, not in the directory. */
  readonly key: string
  readonly fsync: boolean
}

/** A live process touches its file far more often. */
const leftAfterMs = 60_000
const prefix = 'outage-'
const refusedPrefix = 'refused-'

/**
 * Each line is `MAC TRIED RECORD`. The MAC covers the one before it and the name of the file, so no line can be added, changed,
 * moved or taken out of the middle unnoticed by someone who has only the directory.
 */
export function openOutageFiles({ directory, ledgerId, key, fsync }: OutageFilesOptions): OutageFiles {
  const toMac = (name: string, before: string, line: string) => createHmac('sha256', key).update(`${name}\n${before}\n${line}`).digest('base64url') // biome-ignore format: one line
  const host = hash('sha256', hostname()).slice(0, 8)
  const own = new Set<string>()

  function open(): OutageFile {
    const name = `${prefix}${ledgerId}-${host}-${process.pid}-${randomUUID()}`
    own.add(name)
    mkdirSync(directory, { recursive: true, mode: 0o700 })
    const descriptor = openSync(join(directory, name), 'ax', 0o600)
    const lines: OutageLine[] = []
    let bytes = 0
    let last = ''
    return {
      name,
      lines,
      get bytes() {
        return bytes
      },
      write(added) {
        let mac = last
        const texts = added.map(({ text, tried = '-' }) => {
          const line = `${tried} ${text}`
          mac = toMac(name, mac, line)
          return `${mac} ${line}\n`
        })
        const buffer = Buffer.from(texts.join(''))
        try {
          if (writeSync(descriptor, buffer) < buffer.length) throw Object.assign(new Error('The disk took a part of it.'), { code: 'ENOSPC' }) // biome-ignore format: one line
          if (fsync) fdatasyncSync(descriptor)
        } catch (error) {
          // Nobody was told that these were kept.
          ftruncateSync(descriptor, bytes)
          throw error
        }
        last = mac
        bytes += buffer.length
        lines.push(...added)
      },
      touch() {
        const now = new Date()
        futimesSync(descriptor, now, now)
      },
      remove() {
        closeSync(descriptor)
        unlink(name)
        own.delete(name)
      },
    }
  }

  function unlink(name: string) {
    try {
      unlinkSync(join(directory, name))
    } catch {
      // Another process merged it too: the chain has every record once.
    }
  }

  function read(name: string): Pick<LeftFile, 'lines' | 'refused'> {
    // A line without an end was never acknowledged.
    const texts = readFileSync(join(directory, name), 'utf8').split('\n').slice(0, -1)
    const lines: OutageLine[] = []
    let before = ''
    for (const [index, line] of texts.entries()) {
      const [, mac = '', rest = '', tried = '', text = ''] = /^([\w-]{43}) ((\S+) (.*))$/s.exec(line) ?? []
      if (mac === '' || toMac(name, before, rest) !== mac) return { lines, refused: texts.length - index }
      lines.push({ text, ...(tried !== '-' && { tried }) })
      before = mac
    }
    return { lines, refused: 0 }
  }

  /** Known by its process id on this machine; elsewhere, such as in another container, by its age. */
  function isLeft(name: string): boolean {
    const [owner, pid] = name.slice(`${prefix}${ledgerId}-`.length).split('-')
    if (owner === host && (Number(pid) === process.pid || !isRunning(Number(pid)))) return true
    return Date.now() - statSync(join(directory, name)).mtimeMs > leftAfterMs
  }

  function findLeft(): LeftFile[] {
    const names = readNames(directory).filter((name) => name.startsWith(`${prefix}${ledgerId}-`) && !own.has(name))
    return names.flatMap((name) => {
      try {
        if (!isLeft(name)) return []
        const aside = join(directory, `${refusedPrefix}${name}`)
        const refuse = () => {
          renameSync(join(directory, name), aside)
          return aside
        }
        return [{ name, ...read(name), remove: () => unlink(name), refuse }]
      } catch {
        // Another process just removed it.
        return []
      }
    })
  }

  return { open, findLeft }
}

/** Journals of this ledger that were put aside because lines in them were changed. */
export function findRefusedFiles(directory: string, ledgerId: string): string[] {
  const names = readNames(directory).filter((name) => name.startsWith(`${refusedPrefix}${prefix}${ledgerId}-`))
  return names.map((name) => join(directory, name))
}

export function hasOutageFiles(directory: string): boolean {
  return readNames(directory).some((name) => name.startsWith(prefix))
}

function readNames(directory: string): string[] {
  try {
    return readdirSync(directory)
  } catch {
    return []
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
