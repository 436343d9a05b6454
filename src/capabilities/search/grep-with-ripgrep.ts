import { closeSync, constants, openSync } from 'node:fs'
import { compareText, FirstSorted } from './first-sorted.ts'
import { byteOrderMark, maxLineBytes, readLine } from './found-line.ts'
import type { Glob } from './glob.ts'
import type { Grepped, GrepRequest, Match } from './grep.ts'
import { GrepOutput } from './grep-output.ts'
import { holdFound } from './hold-found.ts'
import { runRipgrep, withoutGit } from './ripgrep.ts'
import { toInvalidRegex } from './search-error.ts'
import type { Walk } from './search-request.ts'

export interface GrepOrder {
  readonly request: GrepRequest
  readonly glob: Glob | undefined
  readonly walk: Walk
  readonly max: number
}

/** A line that `rg` reported; trusted only after it was found in a file inside. */
interface Claim {
  readonly path: string
  readonly line: number
  readonly offset: number
  readonly bytes: Buffer
}

const nothing = Buffer.alloc(0)
const maxOutput = 256 * 1024 * 1024

/** Undefined if `rg` is not available after all. */
export async function grepWithRipgrep({ request, glob, walk, max }: GrepOrder): Promise<Grepped | undefined> {
  const prefix = glob?.prefix.map((name) => `${name}/`).join('') ?? ''
  const first = new FirstSorted<Claim>(max, compareClaims)
  let total = 0
  let volume = 0
  const output = new GrepOutput({
    enter(path) {
      if (!walk.hidden && inGit.test(path)) return 'skip'
      if (glob && !glob.matches(prefix + path, { hidden: walk.ignored })) return 'skip'
      return first.wants({ path, line: 0, offset: 0, bytes: nothing }) ? 'take' : 'count'
    },
    count() {
      total++
    },
    take(path, line, rest) {
      total++
      const colon = rest.indexOf(58)
      const offset = Number(rest.toString('latin1', 0, colon))
      const claim = { path, line, offset, bytes: rest.subarray(colon + 1) }
      if (first.wants(claim)) first.add({ ...claim, bytes: Buffer.from(claim.bytes) })
    },
  })
  const { end, failed, complaint, unreadable } = await runRipgrep(walk, toOptions(request, walk), (chunk) => {
    output.push(chunk)
    volume += chunk.length
    return volume > maxOutput ? 'enough' : 'more'
  })
  if (end === 'missing') return undefined
  if (failed && end === 'done') refuseBadPattern(complaint)
  const claims = first.toSorted()
  const matches = verify(walk, claims)
  const stopped = end === 'done' ? undefined : end
  const filesSearched = output.filesSearched()
  return {
    engine: 'ripgrep',
    matches,
    total: total - (claims.length - matches.length),
    unreadable,
    ...(stopped && { stopped }),
    ...(!stopped && filesSearched !== undefined && { filesSearched }),
  }
}

/** Only an ignore file that lets hidden names in brings it back; comparing every path for that takes 3 % of a search. */
const inGit = /(?:^|\/)\.git\//

function toOptions({ pattern, regex = false, ignoreCase = false }: GrepRequest, { hidden }: Walk): string[] {
  return [
    ...(hidden ? [withoutGit] : []),
    '--line-number',
    '--byte-offset',
    '--with-filename',
    '--heading',
    '--null',
    '--stats',
    `--max-columns=${maxLineBytes}`,
    '--max-columns-preview',
    // Treats CRLF as a newline, so that `$` matches before it.
    regex ? '--crlf' : '--fixed-strings',
    ...(ignoreCase ? ['--ignore-case'] : ['--case-sensitive']),
    '-e',
    pattern,
  ]
}

function compareClaims(one: Claim, other: Claim): number {
  return compareText(one.path, other.path) || one.line - other.line
}

/** An unreadable file is not a failure; an invalid pattern is. */
function refuseBadPattern(complaint: string): void {
  const parse = /regex parse error:[\s\S]*?^error: (.*)$/m.exec(complaint)
  if (parse) throw toInvalidRegex(parse[1]!)
  // It also reports an error if there was nothing to search.
  const other = /^rg: (?!\.|.*\(os error \d+\)|No files were searched)(.*)$/m.exec(complaint)
  if (other) throw toInvalidRegex(other[1]!)
}

/**
 * Re-reads every line to be returned from a file verified to be inside. While `rg` walked, a directory may have been
 * replaced with a symlink; lines read through it differ and are dropped.
 */
function verify(walk: Walk, claims: readonly Claim[]): Match[] {
  const matches: Match[] = []
  let open: { path: string; descriptor: number | undefined } | undefined
  const close = () => open?.descriptor !== undefined && closeSync(open.descriptor)
  try {
    for (const claim of claims) {
      if (open?.path !== claim.path) {
        close()
        open = { path: claim.path, descriptor: openFound(walk, claim.path) }
      }
      if (open.descriptor === undefined) continue
      // `rg` counts from after a byte order mark.
      const found = confirm(open.descriptor, claim, 0) ?? confirm(open.descriptor, claim, byteOrderMark.length)
      if (found) matches.push({ path: claim.path, line: claim.line, ...found })
    }
  } finally {
    close()
  }
  return matches
}

function confirm(descriptor: number, { bytes, offset }: Claim, shift: number) {
  const { text, cut, bytes: line } = readLine(descriptor, offset + shift, bytes.length)
  const same =
    line.equals(bytes) ||
    (cut && line.subarray(0, toShownLength(bytes)).equals(bytes.subarray(0, toShownLength(bytes))))
  return same ? { text, cut } : undefined
}

/** Without the suffix that `rg` adds to a shortened line. */
function toShownLength(bytes: Buffer): number {
  const note = bytes.lastIndexOf(' [... ')
  return note < 0 ? bytes.length : note
}

function openFound(walk: Walk, path: string): number | undefined {
  const held = holdFound(walk, path)
  try {
    return held?.stats.isFile() ? openSync(held.path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)) : undefined
  } catch {
    return undefined
  } finally {
    held?.close()
  }
}
