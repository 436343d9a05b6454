import { printableJson } from '../../../contract/text/printable.ts'

const width = 110

/** A value as a block of JSON for people: what fits on a line stands on one. Nothing in it can end the block. */
export function toJsonBlock(value: unknown): string {
  return `\`\`\`json\n${toLines(value, 0, '')}\n\`\`\``
}

/** A value as JSON on one line, in code within a line. Nothing in it can end the code. */
export function toInlineJson(value: unknown): string {
  return `\`${toLine(value).replaceAll('`', String.raw`\u0060`)}\``
}

function toLines(value: unknown, depth: number, before: string): string {
  const line = toLine(value)
  if (depth * 2 + before.length + line.length <= width || typeof value !== 'object' || value === null) return line
  const indent = '  '.repeat(depth + 1)
  const [open, close] = Array.isArray(value) ? '[]' : '{}'
  const parts = Array.isArray(value)
    ? value.map((part) => toLines(part, depth + 1, ''))
    : Object.entries(value).map(([key, part]) => {
        const name = `${printableJson(key)}: `
        return name + toLines(part, depth + 1, name)
      })
  if (parts.length === 0) return line
  return `${open}\n${parts.map((part) => indent + part).join(',\n')}\n${'  '.repeat(depth)}${close}`
}

/** `{ "a": [1, 2] }` */
function toLine(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(toLine).join(', ')}]`
  if (typeof value !== 'object' || value === null) return printableJson(value)
  const parts = Object.entries(value).map(([key, part]) => `${printableJson(key)}: ${toLine(part)}`)
  return parts.length === 0 ? '{}' : `{ ${parts.join(', ')} }`
}
