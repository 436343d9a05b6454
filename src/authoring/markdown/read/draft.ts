import type { ContractSource } from '../../../contract/contract.ts'
import type { JsonValue } from '../../../contract/json.ts'
import type { Finding, Note } from './finding.ts'

type Field = keyof ContractSource
type LineOf = (pointer: string) => number

/** A contract while it is read: what was found so far, where it stands, and what is only assumed. */
export class Draft {
  name: string
  toolset: string | undefined
  readonly line: number
  readonly source: { [field in Field]?: JsonValue } = {}
  /** JSON pointers to what the document does not say. */
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

  /** Sets what the document says. What stands twice counts where it stands first, or where it is said exactly. */
  take(field: Field, value: JsonValue, line: number | LineOf): void {
    if (this.has(field)) return
    this.source[field] = value
    this.#lines.set(`/${field}`, typeof line === 'number' ? () => line : line)
  }

  /** Sets what the document does not say, and reports it. */
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

  /** Where a part of the contract stands, or the heading of the tool. */
  lineOf(pointer: string): number {
    const [, field = '', rest = ''] = /^(\/[^/]*)(.*)$/.exec(pointer) ?? []
    return this.#lines.get(field)?.(rest) ?? this.line
  }

  isAssumed(pointer: string): boolean {
    return this.assumed.some((place) => pointer === place || pointer.startsWith(`${place}/`))
  }
}
