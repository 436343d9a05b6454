import { StringDecoder } from 'node:string_decoder'

const maxLineCharacters = 2000
/** Enough for a stack trace and the error above it. */
const maxLines = 100

/** Reads the stderr of a server line by line. Truncates long lines, and keeps the last ones. */
export class NoiseReader {
  readonly #onLine: (line: string) => void
  readonly #decoder = new StringDecoder('utf8')
  readonly #last: string[] = []
  #line = ''

  constructor(onLine: (line: string) => void) {
    this.#onLine = onLine
  }

  push(chunk: Buffer) {
    const [rest, ...lines] = this.#decoder.write(chunk).split('\n')
    this.#keep(rest!)
    for (const line of lines) {
      this.end()
      this.#keep(line)
    }
  }

  end() {
    const line = this.#line.trimEnd()
    this.#line = ''
    if (line === '') return
    this.#last.push(line)
    if (this.#last.length > maxLines) this.#last.shift()
    this.#onLine(line)
  }

  get lastLines(): readonly string[] {
    return [...this.#last, this.#line].filter((line) => line !== '')
  }

  #keep(text: string) {
    if (this.#line.length < maxLineCharacters) this.#line += text.slice(0, maxLineCharacters - this.#line.length)
  }
}
