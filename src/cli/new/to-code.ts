import type { JsonObject, JsonValue } from '../../contract/json.ts'

type Language = 'json' | 'typescript'

const maxColumns = 100

interface CodeOptions {
  readonly language: Language
  /** Indentation of all lines but the first. */
  readonly indent?: string
  /** Puts each member on its own line. */
  readonly isSpread?: boolean
}

/**
 * Formats data: short plain values on one line, others on several. As JSON, or as TypeScript that this repository's formatter
 * leaves unchanged.
 */
export function toCode(value: JsonValue, { language, indent = '', isSpread = false }: CodeOptions): string {
  if (!isNested(value)) return language === 'json' || typeof value !== 'string' ? JSON.stringify(value) : quote(value)
  const isList = Array.isArray(value)
  const parts = Object.entries(value).map(([key, part]) => {
    // The formatter keeps an object in a list on the same line.
    const code = toCode(part, { language, indent: `${indent}  `, isSpread: isList && isNested(part) })
    return isList ? code : `${toKey(key, language)}: ${code}`
  })
  const [open, pad, close] = isList ? ['[', '', ']'] : ['{', ' ', '}']
  if (parts.length === 0) return `${open}${close}`
  const line = `${open}${pad}${parts.join(', ')}${pad}${close}`
  const isPlain = Object.values(value).every((part) => !isNested(part) || (!isList && isPlainList(part)))
  if (isPlain && !isSpread && indent.length + line.length <= maxColumns) return line
  const lines = parts.map((part) => `\n${indent}  ${part}`).join(',')
  return `${open}${lines}${language === 'json' ? '' : ','}\n${indent}${close}`
}

function isNested(value: JsonValue): value is JsonObject | JsonValue[] {
  return typeof value === 'object' && value !== null
}

function isPlainList(value: JsonValue): boolean {
  return Array.isArray(value) && !value.some(isNested)
}

/** A TypeScript string with the quotes that need fewer escapes. */
export function quote(text: string): string {
  const json = JSON.stringify(text)
  const count = (mark: string) => text.split(mark).length
  if (count("'") > count('"')) return json
  return `'${json.slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`
}

function toKey(key: string, language: Language): string {
  if (language === 'json') return JSON.stringify(key)
  return /^[A-Za-z_$][\w$]*$/.test(key) ? key : quote(key)
}

/** What `toolpact new` would write. */
export interface PlannedFiles {
  /** Id of the tool, such as `tools.read_note`. */
  readonly id: string
  readonly created: readonly PlannedFile[]
  /** Existing files with their new text. */
  readonly changed: readonly PlannedFile[]
  /** Next steps for the author, in order. */
  readonly next: readonly string[]
}

interface PlannedFile {
  readonly path: string
  readonly text: string
  /** Short description. */
  readonly about: string
}
