const [dot, slash, backslash] = [46, 47, 92]
/** Longer than a path on any system. */
const maxBytes = 100_000
const isWindows = process.platform === 'win32'

/**
 * The paths of a search as their bytes arrive, each ended by a NUL. A path is decoded only on request: of a hundred
 * thousand that are counted, decoding each took a third of the processor time that `rg` needs to list them.
 */
export class PathBytes {
  /** How many names it has. */
  names = 1
  /** One of its names begins with a dot. */
  hidden = false
  readonly #visit: (path: PathBytes) => void
  #data: Buffer = Buffer.alloc(0)
  #from = 0
  #to = 0
  #name = 0

  constructor(visit: (path: PathBytes) => void) {
    this.#visit = visit
  }

  push(chunk: Buffer): void {
    const data = this.#data.length > 0 ? Buffer.concat([this.#data, chunk]) : chunk
    this.#data = data
    this.#from = 0
    this.#begin()
    let isStart = true
    for (let at = 0; at < data.length; at++) {
      const code = data[at]
      if (code === 0) {
        this.#to = at
        this.#visit(this)
        this.#from = at + 1
        this.#begin()
        isStart = true
      } else if (code === slash || (isWindows && code === backslash)) {
        this.names++
        this.#name = at + 1
        isStart = true
      } else if (isStart) {
        if (code === dot) this.hidden = true
        isStart = false
      }
    }
    const rest = data.subarray(this.#from)
    // Copied, so that the rest of a path does not keep a whole chunk. A rest that is too long is not the output of `rg`.
    this.#data = Buffer.from(rest.length > maxBytes ? '' : rest)
  }

  /** Its bytes as Latin-1, with `/`: sorts fast, and in the order of UTF-8. */
  text(): string {
    const text = this.#data.toString('latin1', this.#from, this.#to)
    return isWindows ? text.replaceAll('\\', '/') : text
  }

  /** Of its last name, in bytes. */
  get nameLength(): number {
    return this.#to - this.#name
  }

  #begin(): void {
    this.names = 1
    this.hidden = false
    this.#name = this.#from
  }
}

/** The text of a path that was read as Latin-1. */
export function fromBytes(path: string): string {
  return beyondAscii.test(path) ? Buffer.from(path, 'latin1').toString('utf8') : path
}

const beyondAscii = /[\x80-\xff]/
