import type { JsonObject } from '../../contract/json.ts'
import { stripHidden } from '../../contract/text/hidden-characters.ts'
import { printableJson } from '../../contract/text/printable.ts'

/** The title and description of a schema or contract, as a comment on separate lines; empty if there are none. */
export function toComment(words: JsonObject, indent = ''): string {
  const lines = [
    ...(typeof words.description === 'string' ? stripHidden(words.description, 'prose').trim().split(/\r?\n/) : []),
    ...(words.default === undefined ? [] : [`@default ${printableJson(words.default)}`]),
    ...(words.deprecated === true ? ['@deprecated'] : []),
  ].map((line) => line.replaceAll('*/', '*\\/').replaceAll('\t', ' ').trimEnd())
  const said = lines.filter((line, index) => line !== '' || index > 0)
  if (said.length === 0) return ''
  if (said.length === 1) return `${indent}/** ${said[0]} */\n`
  return `${indent}/**\n${said.map((line) => `${indent} *${line === '' ? '' : ` ${line}`}\n`).join('')}${indent} */\n`
}
