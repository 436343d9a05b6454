interface GrepListener {
  /** What to do with the lines of this file. */
  enter(path: string): 'take' | 'count' | 'skip'
  /** A line of a file to be counted. */
  count(): void
  /** A line of a file to be returned. `rest` is offset, colon and text, and valid during the call only. */
  take(path: string, line: number, rest: Buffer): void
}

const newline = 10
const colon = 58

/**
 * Parses the output of `rg --heading --null --line-number --byte-offset --stats` as it streams. Each file is its path,
 * a NUL, its lines as `number:offset:text`, and a blank line; the statistics at the end contain no NUL.
 */
export class GrepOutput {
  readonly #listener: GrepListener
  #rest: Buffer = Buffer.alloc(0)
  #path: string | undefined
  #mode: 'take' | 'count' | 'skip' = 'skip'

  constructor(listener: GrepListener) {
    this.#listener = listener
  }

  push(chunk: Buffer): void {
    const data = this.#rest.length > 0 ? Buffer.concat([this.#rest, chunk]) : chunk
    let at = 0
    for (;;) {
      const next = this.#path === undefined ? this.#readPath(data, at) : this.#readLine(data, at)
      if (next === undefined) break
      at = next
    }
    this.#rest = Buffer.from(data.subarray(at))
  }

  #readPath(data: Buffer, from: number): number | undefined {
    let at = from
    while (data[at] === newline) at++
    const end = data.indexOf(0, at)
    if (end < 0) return undefined
    this.#path = data.toString('utf8', at, end)
    if (process.platform === 'win32') this.#path = this.#path.replaceAll('\\', '/')
    this.#mode = this.#listener.enter(this.#path)
    return end + 1
  }

  #readLine(data: Buffer, from: number): number | undefined {
    const end = data.indexOf(newline, from)
    if (end < 0) return undefined
    if (end === from) this.#path = undefined
    else if (this.#mode === 'take') this.#takeLine(data, from, end)
    else if (this.#mode === 'count' && isDigit(data[from]!)) this.#listener.count()
    return end + 1
  }

  #takeLine(data: Buffer, from: number, end: number): void {
    let line = 0
    for (let at = from; at < end; at++) {
      const code = data[at]!
      if (isDigit(code)) line = line * 10 + code - 48
      else {
        // Instead of a line there may be a note about a binary file.
        if (code === colon && at > from) this.#listener.take(this.#path!, line, data.subarray(at + 1, end))
        return
      }
    }
  }

  /** Set when the output has ended on its own. */
  filesSearched(): number | undefined {
    const found = /^(\d+) files searched$/m.exec(this.#rest.toString('latin1'))
    return found ? Number(found[1]) : undefined
  }
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57
}
