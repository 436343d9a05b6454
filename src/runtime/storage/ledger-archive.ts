import { randomUUID } from 'node:crypto'
import { dirname } from 'node:path'
import {
  type ChainBreak,
  type ChainPlace,
  followChain,
  type StoredEntry,
  toChainStart,
  toEntryHash,
} from './ledger-chain.ts'
import type { LedgerEntry } from './storage.ts'

/**
 * An archive of the oldest ledger entries: gzipped JSON lines. The first line names the ledger and the chain position before
 * the entries; the last repeats the position after them, so a truncated file is detected. Records are stored verbatim, since
 * the hashes cover exactly that text.
 *
 * Version 2 is of a ledger with several chains. A line before the entries of a chain names it, and where it was before them.
 * The hashes of all entries form a chain of their own, to which the positions refer.
 */
interface Header {
  readonly format: 'toolpact-ledger-archive'
  readonly version: 1 | 2
  readonly ledger: string
  readonly after: ChainPlace
}

/** Consecutive entries of one of several chains: entry `n` of `writer` follows the hash `previous`. */
interface ChainRun {
  readonly writer: string
  readonly n: number
  readonly previous: string
}

/** An entry to archive. In a ledger with several chains, the first of a run has `run`. */
export type ArchivedEntry = StoredEntry & { readonly run?: ChainRun }

export type ArchiveVerdict =
  | {
      readonly intact: true
      readonly entries: number
      readonly ledger: string
      /** Chain position before its first entry. */
      readonly after: ChainPlace
      /** Its last entry. */
      readonly end: ChainPlace
    }
  | { readonly intact: false; readonly isArchive: boolean; readonly entries: number; readonly reason: string }

const pageSize = 1000

interface ArchiveToWrite {
  /** 2 for a ledger with several chains. */
  readonly version: 1 | 2
  readonly ledger: string
  readonly after: ChainPlace
  readonly pages: Iterable<readonly ArchivedEntry[]> | AsyncIterable<readonly ArchivedEntry[]>
}

/** Writes an archive atomically, readable by this user only. Yields to the event loop between pages. Resolves to its end. */
export async function writeArchive(
  path: string,
  { version, ledger, after, pages }: ArchiveToWrite,
): Promise<ChainPlace> {
  const { closeSync, fsyncSync, openSync, renameSync, rmSync, writeSync } = await import('node:fs')
  const { gzipSync } = await import('node:zlib')
  const { syncDirectory } = await import('../../state/private-file.ts')
  const temporary = `${path}.${randomUUID()}.tmp`
  const file = openSync(temporary, 'w', 0o600)
  // Concatenated gzip members form one stream.
  const write = (lines: readonly string[]) => {
    const bytes = gzipSync(`${lines.join('\n')}\n`)
    if (writeSync(file, bytes) < bytes.length)
      throw Object.assign(new Error('The disk took a part of the archive.'), { code: 'ENOSPC' })
  }
  let end = after
  try {
    try {
      write([JSON.stringify({ format: 'toolpact-ledger-archive', version, ledger, after } satisfies Header)])
      for await (const page of pages) {
        write(page.flatMap(toLines))
        for (const { seq, hash } of page) end = { seq, hash: version === 1 ? hash : toEntryHash(end.hash, hash) }
        await new Promise(setImmediate)
      }
      write([JSON.stringify({ end })])
      fsyncSync(file)
    } finally {
      closeSync(file)
    }
    renameSync(temporary, path)
    syncDirectory(dirname(path))
    return end
  } catch (error) {
    rmSync(temporary, { force: true })
    throw error
  }
}

function toLines({ seq, hash, text, run }: ArchivedEntry): string[] {
  const entry = `{"seq":${seq},"hash":"${hash}","record":${text}}`
  return run ? [JSON.stringify({ run }), entry] : [entry]
}

/** Verifies an archive file on its own: format, and every entry against the chain. Rejects if it cannot be opened or read. */
export async function verifyArchive(path: string): Promise<ArchiveVerdict> {
  let header: Header | undefined
  let place: ChainPlace | undefined
  let page: StoredEntry[] = []
  let end: ChainPlace | undefined
  let broken: string | undefined

  const chains = createChains()

  function followPage() {
    const reached = header!.version === 1 ? followChain(place!, page) : chains.follow(place!, page)
    page = []
    if ('intact' in reached) broken ??= reached.reason
    else place = reached
  }

  try {
    for await (const line of readLines(path)) {
      if (!header) {
        header = readHeader(line)
        place = header?.after
        if (!header) return notAnArchive
      } else if (line.startsWith('{"end":')) end = JSON.parse(line).end
      else if (header.version === 2 && line.startsWith('{"run":')) {
        followPage()
        broken ??= chains.begin(readRun(line))
      } else {
        const entry = end ? undefined : readEntry(line)
        if (!entry) broken ??= `What follows entry ${place!.seq + page.length} is no entry.`
        else page.push(entry)
        if (page.length === pageSize) followPage()
      }
      if (broken) break
    }
  } catch (error) {
    // zlib errors are about the content, all others about the file.
    if (!(error as { code?: string }).code?.startsWith('Z_')) throw error
    broken ??= `It cannot be read to its end (${(error as Error).message}).`
  }
  if (!header || !place) return notAnArchive
  if (!broken) followPage()
  const entries = place.seq - header.after.seq
  if (!broken && (end?.seq !== place.seq || end.hash !== place.hash))
    broken = `It was cut off after entry ${place.seq}.`
  if (broken) return { intact: false, isArchive: true, entries, reason: broken }
  return { intact: true, entries, ledger: header.ledger, after: header.after, end: place }
}

const notAnArchive: ArchiveVerdict = {
  intact: false,
  isArchive: false,
  entries: 0,
  reason: 'It is not a Toolpact archive.',
}

/** The entries of an archive, unverified. */
export async function* readArchive(path: string): AsyncGenerator<LedgerEntry> {
  for await (const line of readLines(path)) {
    const entry = readEntry(line)
    if (entry) yield { seq: entry.seq, hash: entry.hash, record: JSON.parse(entry.text) }
  }
}

/** Follows several chains, and the hashes of all their entries. */
function createChains() {
  const places = new Map<string, { n: number; hash: string }>()
  let writer = ''

  /** Returns what is wrong with a run. */
  function begin(run: ChainRun | undefined): string | undefined {
    if (!run) return 'A line that names a chain cannot be read.'
    const known = places.get(run.writer) ?? {
      n: run.n - 1,
      hash: run.n === 1 ? toChainStart(run.writer) : run.previous,
    }
    if (known.n !== run.n - 1 || known.hash !== run.previous)
      return `Entry ${run.n} of the chain ${run.writer} does not follow the one before it.`
    writer = run.writer
    places.set(writer, known)
    return undefined
  }

  function follow(from: ChainPlace, page: readonly StoredEntry[]): ChainPlace | ChainBreak {
    let place = from
    const own = places.get(writer)
    const reached = followChain({ seq: place.seq, hash: own?.hash ?? '' }, page)
    if ('intact' in reached) return reached
    if (own) places.set(writer, { n: own.n + page.length, hash: reached.hash })
    for (const { seq, hash } of page) place = { seq, hash: toEntryHash(place.hash, hash) }
    return place
  }

  return { begin, follow }
}

/** The entries of an archive as stored, each with the hash before it; unverified. */
export async function* readStoredEntries(path: string): AsyncGenerator<StoredEntry & { readonly previous: string }> {
  let previous: string | undefined
  for await (const line of readLines(path)) {
    const entry = readEntry(line)
    if (entry) yield { ...entry, previous: previous! }
    previous = entry?.hash ?? readRun(line)?.previous ?? readHeader(line)?.after.hash ?? previous
  }
}

async function* readLines(path: string): AsyncGenerator<string> {
  const { createReadStream } = await import('node:fs')
  const { createGunzip } = await import('node:zlib')
  const { pipeline } = await import('node:stream')
  let rest = ''
  const text = pipeline(createReadStream(path), createGunzip(), () => {}).setEncoding('utf8')
  for await (const chunk of text) {
    const lines = `${rest}${chunk}`.split('\n')
    rest = lines.pop()!
    yield* lines
  }
  if (rest) yield rest
}

function readHeader(line: string): Header | undefined {
  try {
    const header = JSON.parse(line)
    const isKnown = header.version === 1 || header.version === 2
    return header.format === 'toolpact-ledger-archive' && isKnown && header.after ? header : undefined
  } catch {
    return undefined
  }
}

function readRun(line: string): ChainRun | undefined {
  if (!line.startsWith('{"run":')) return undefined
  try {
    const { writer, n, previous } = JSON.parse(line).run
    return typeof writer === 'string' && typeof previous === 'string' && n >= 1 ? { writer, n, previous } : undefined
  } catch {
    return undefined
  }
}

function readEntry(line: string): StoredEntry | undefined {
  const found = /^\{"seq":(\d+),"hash":"([0-9a-f]{64})","record":/.exec(line)
  if (!found || !line.endsWith('}')) return undefined
  return { seq: Number(found[1]), hash: found[2]!, text: line.slice(found[0].length, -1) }
}
