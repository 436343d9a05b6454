import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs'
import { compareText, FirstSorted } from './first-sorted.ts'
import { byteOrderMark, maxLineBytes, toFoundLine } from './found-line.ts'
import type { Grepped, GrepRequest, Match } from './grep.ts'
import type { GrepOrder } from './grep-with-ripgrep.ts'
import { toInvalidRegex } from './search-error.ts'
import { isUnreadable, walkFiles } from './walk-files.ts'

/** The same search without `rg`: slower, also with a linear-time regular expression engine. */
export async function grepInJavaScript({ request, glob, walk, max }: GrepOrder): Promise<Grepped> {
  const isMatch = await compilePattern(request)
  const wanted = request.regex || request.ignoreCase ? undefined : Buffer.from(request.pattern)
  const mayMatch = (data: Buffer) => !wanted || data.includes(wanted)
  const buffer = Buffer.allocUnsafe(1_048_576)
  const prefix = glob?.prefix.map((name) => `${name}/`).join('') ?? ''
  const first = new FirstSorted<Match>(max, (one, other) => compareText(one.path, other.path) || one.line - other.line)
  let total = 0
  let filesSearched = 0
  let unreadable = 0
  const walked = await walkFiles(walk, (path, directory, name) => {
    if (glob && !glob.matches(prefix + path, { hidden: walk.ignored })) return
    const isRead = searchFile(directory.at(name), { buffer, mayMatch }, (line, bytes) => {
      if (!isMatch(bytes)) return performance.now() < walk.deadline
      total++
      const match = { path, line, ...toFoundLine(bytes.subarray(0, maxLineBytes + 2)) }
      if (first.wants(match)) first.add(match)
      return true
    })
    if (isRead) filesSearched++
    else unreadable++
  })
  return {
    engine: 'javascript',
    matches: first.toSorted(),
    total,
    unreadable: walked.unreadable + unreadable,
    ...(walked.stopped ? { stopped: walked.stopped } : { filesSearched }),
  }
}

/** A predicate for lines; fails with `invalid_regex`. */
export async function compilePattern({ pattern, regex, ignoreCase }: GrepRequest): Promise<(line: Buffer) => boolean> {
  if (!regex && !ignoreCase) {
    const wanted = Buffer.from(pattern)
    return (line) => line.includes(wanted)
  }
  const { RE2JS } = await import('re2js')
  try {
    const compiled = RE2JS.compile(regex ? pattern : RE2JS.quote(pattern), ignoreCase ? RE2JS.CASE_INSENSITIVE : 0)
    return (line) => compiled.test(line.toString('utf8', 0, line.at(-1) === 13 ? line.length - 1 : line.length))
  } catch (error) {
    throw toInvalidRegex(toReason((error as Error).message))
  }
}

/** Phrases the most common mistakes as `rg` does. The library has messages but no codes. */
function toReason(message: string): string {
  const reason = message.replace(/^error parsing regexp: /, '').replace(/: `.*`$/s, '')
  if (reason === 'missing closing )') return 'unclosed group'
  if (reason === 'missing closing ]') return 'unclosed character class'
  return reason
}

interface Means {
  /** One buffer for all files; lines up to its size are searched whole. */
  readonly buffer: Buffer
  /** Fast pre-check of many lines at once. */
  readonly mayMatch: (data: Buffer) => boolean
}

/** Visits a file line by line; from a NUL byte on it is binary and skipped. False if it exists and cannot be read. */
function searchFile(
  path: string,
  { buffer, mayMatch }: Means,
  visit: (line: number, bytes: Buffer) => boolean,
): boolean {
  let descriptor: number | undefined
  try {
    descriptor = openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0))
    const stats = fstatSync(descriptor)
    if (stats.isFile()) searchLines(descriptor, stats.size)
    return true
  } catch (error) {
    return !isUnreadable(error)
  } finally {
    if (descriptor !== undefined) closeSync(descriptor)
  }

  function searchLines(descriptor: number, size: number): void {
    let line = 1
    let kept = 0
    let tooLong = false
    for (;;) {
      const bytesRead = readSync(descriptor, buffer, kept, buffer.length - kept, null)
      const data = buffer.subarray(0, kept + bytesRead)
      if (data.includes(0, kept)) return
      if (line === 1 && size <= bytesRead && !mayMatch(data)) return
      let from = line === 1 && kept === 0 && data.subarray(0, 3).equals(byteOrderMark) ? 3 : 0
      for (let end = data.indexOf(10, kept); end >= 0; end = data.indexOf(10, from)) {
        if (!tooLong && !visit(line, data.subarray(from, end))) return
        tooLong = false
        line++
        from = end + 1
      }
      const rest = data.subarray(from)
      const isFull = rest.length === buffer.length
      // The part after the last newline; or the start of a line that fills the buffer, of which only that is searched.
      if ((bytesRead === 0 || isFull) && rest.length > 0 && !tooLong && !visit(line, rest)) return
      if (bytesRead === 0) return
      if (isFull) tooLong = true
      kept = isFull ? 0 : rest.length
      buffer.copyWithin(0, from, from + kept)
    }
  }
}
