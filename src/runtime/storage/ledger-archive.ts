import { randomUUID } from 'node:crypto'
import { dirname } from 'node:path'
import { type ChainPlace, followChain, type StoredEntry } from './ledger-chain.ts'
import type { LedgerEntry } from './storage.ts'

/**
 * An archive of the oldest ledger entries: gzipped JSON lines. The first line names the ledger and the chain position before
 * the entries; the last repeats the position after them, so a truncated file is detected. Records are stored verbatim, since
 * the hashes cover exactly that text.
 */
interface Header {
  readonly format: 'toolpact-ledger-archive'
  readonly version: 1
  readonly ledger: string
  readonly after: ChainPlace
}

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

/** Writes an archive atomically, readable by this user only. Yields to the event loop between pages. */
export async function writeArchive(
  path: string,
  { ledger, after, pages }: { ledger: string; after: ChainPlace; pages: Iterable<readonly StoredEntry[]> },
): Promise<void> {
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
  try {
    try {
      write([JSON.stringify({ format: 'toolpact-ledger-archive', version: 1, ledger, after } satisfies Header)])
      let end = after
      for (const page of pages) {
        write(page.map(({ seq, hash, text }) => `{"seq":${seq},"hash":"${hash}","record":${text}}`))
        end = { seq: page.at(-1)!.seq, hash: page.at(-1)!.hash }
        await new Promise(setImmediate)
      }
      write([JSON.stringify({ end })])
      fsyncSync(file)
    } finally {
      closeSync(file)
    }
    renameSync(temporary, path)
    syncDirectory(dirname(path))
  } catch (error) {
    rmSync(temporary, { force: true })
    throw error
  }
}

/** Verifies an archive file on its own: format, and every entry against the chain. Rejects if it cannot be opened or read. */
export async function verifyArchive(path: string): Promise<ArchiveVerdict> {
  let header: Header | undefined
  let place: ChainPlace | undefined
  let page: StoredEntry[] = []
  let end: ChainPlace | undefined
  let broken: string | undefined

  function followPage() {
    const reached = followChain(place!, page)
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
      else {
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

/** The entries of an archive as stored, each with the hash before it; unverified. */
export async function* readStoredEntries(path: string): AsyncGenerator<StoredEntry & { readonly previous: string }> {
  let previous: string | undefined
  for await (const line of readLines(path)) {
    const entry = readEntry(line)
    if (entry) yield { ...entry, previous: previous! }
    previous = entry?.hash ?? readHeader(line)?.after.hash ?? previous
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
    return header.format === 'toolpact-ledger-archive' && header.version === 1 && header.after ? header : undefined
  } catch {
    return undefined
  }
}

function readEntry(line: string): StoredEntry | undefined {
  const found = /^\{"seq":(\d+),"hash":"([0-9a-f]{64})","record":/.exec(line)
  if (!found || !line.endsWith('}')) return undefined
  return { seq: Number(found[1]), hash: found[2]!, text: line.slice(found[0].length, -1) }
}
