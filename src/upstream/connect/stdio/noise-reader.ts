import { StringDecoder } from 'node:string_decoder'

const mostLineCharacters = 2000
const mostLines = 10

/** Reads what a server says for people, line by line: long lines are cut, and the last ones remembered. */
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
    if (this.#last.length > mostLines) this.#last.shift()
    this.#onLine(line)
  }

  /** The last lines. */
  toText(): string {
    return [...this.#last, this.#line].filter((line) => line !== '').join('\n')
  }

  #keep(text: string) {
    if (this.#line.length < mostLineCharacters) this.#line += text.slice(0, mostLineCharacters - this.#line.length)
  }
}
