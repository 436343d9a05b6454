import type { ContractSource } from '../../../contract/contract.ts'
import type { JsonValue } from '../../../contract/json.ts'
import { shorten } from '../../../contract/text/shorten.ts'

type Field = keyof ContractSource
type LineOf = (pointer: string) => number

/** A contract under construction: parts found so far, their lines, and assumptions. */
export class Draft {
  name: string
  toolset: string | undefined
  readonly line: number
  readonly source: { [field in Field]?: JsonValue } = {}
  /** JSON pointers to assumed parts. */
  readonly assumed: string[] = []
  readonly #lines = new Map<string, LineOf>()
  readonly #note: Note

  constructor(name: string, line: number, note: Note) {
    this.name = name
    this.line = line
    this.#note = note
  }

  has(field: Field): boolean {
    return this.source[field] !== undefined
  }

  /** Sets a part from the document. The first occurrence wins, unless a later one is exact. */
  take(field: Field, value: JsonValue, line: number | LineOf): void {
    if (this.has(field)) return
    this.source[field] = value
    this.#lines.set(`/${field}`, typeof line === 'number' ? () => line : line)
  }

  /** Sets an assumed part and reports it. */
  assume(
    field: Field,
    value: JsonValue,
    { line, message, text }: { line: number; message: string; text?: string },
  ): void {
    if (this.has(field)) return
    this.take(field, value, line)
    this.assumed.push(`/${field}`)
    this.note({ line, kind: 'assumed', code: `${field}-assumed`, pointer: `/${field}`, message, ...(text && { text }) })
  }

  note(finding: Omit<Finding, 'tool'>): void {
    this.#note({ ...finding, tool: this.id })
  }

  get id(): string {
    return this.toolset === undefined ? this.name : `${this.toolset}.${this.name}`
  }

  /** The line of a part, or of the tool's heading. */
  lineOf(pointer: string): number {
    const [, field = '', rest = ''] = /^(\/[^/]*)(.*)$/.exec(pointer) ?? []
    return this.#lines.get(field)?.(rest) ?? this.line
  }

  isAssumed(pointer: string): boolean {
    return this.assumed.some((place) => pointer === place || pointer.startsWith(`${place}/`))
  }
}

/** A finding about a document. */
export interface Finding {
  /** 1-based. */
  readonly line: number
  /**
   * `taken`: read into the contract. `assumed`: required, but not in the document. `left`: has no place in a contract.
   * `wrong`: must be fixed in the document.
   */
  readonly kind: 'taken' | 'assumed' | 'left' | 'wrong'
  /** Machine-readable code. */
  readonly code: string
  /** For `wrong`: an error makes the contract invalid, a warning may be intended. */
  readonly severity?: 'error' | 'warning'
  readonly tool?: string
  /** JSON pointer into the contract. */
  readonly pointer?: string
  readonly message: string
  readonly fix?: string
  /** The text at that line, shortened. */
  readonly text?: string
}

/** Adds a finding to the report. */
export type Note = (finding: Finding) => void

const maxText = 120

/** A line of the document, shortened for display. */
export function toExcerpt(text: string): string {
  return shorten(text.replaceAll(/\s+/g, ' ').trim(), maxText)
}
