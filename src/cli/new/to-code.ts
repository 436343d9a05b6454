import type { JsonObject, JsonValue } from '../../contract/json.ts'

type Language = 'json' | 'typescript'

const maxColumns = 100

interface CodeOptions {
  readonly language: Language
  /** What the lines after the first begin with. */
  readonly indent?: string
  /** Each member on a line of its own, however short it is. */
  readonly isSpread?: boolean
}

/**
 * Data as a person would write it: what is plain and short on one line, the rest on several. As JSON, or as TypeScript in
 * the style of this repository, whose formatter leaves it as it is.
 */
export function toCode(value: JsonValue, { language, indent = '', isSpread = false }: CodeOptions): string {
  if (!isNested(value)) return language === 'json' || typeof value !== 'string' ? JSON.stringify(value) : quote(value)
  const isList = Array.isArray(value)
  const parts = Object.entries(value).map(([key, part]) => {
    // The formatter would put an object in a list on the line before it.
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

/** A text as TypeScript, in the quotes that leave less to escape. */
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
