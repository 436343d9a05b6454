import type { JsonObject } from '../../contract/json.ts'

/** What a schema or a contract says about itself, as a comment on lines of its own; empty where it says nothing. */
export function toComment(words: JsonObject, indent = ''): string {
  const lines = [
    ...(typeof words.description === 'string' ? words.description.trim().split(/\r\n|[\n\r\u2028\u2029]/) : []),
    ...(words.default === undefined ? [] : [`@default ${JSON.stringify(words.default)}`]),
    ...(words.deprecated === true ? ['@deprecated'] : []),
  ].map((line) =>
    line
      .replaceAll('*/', '*\\/')
      .replaceAll(/[\x00-\x1f]/g, ' ')
      .trimEnd(),
  )
  const said = lines.filter((line, index) => line !== '' || index > 0)
  if (said.length === 0) return ''
  if (said.length === 1) return `${indent}/** ${said[0]} */\n`
  return `${indent}/**\n${said.map((line) => `${indent} *${line === '' ? '' : ` ${line}`}\n`).join('')}${indent} */\n`
}
