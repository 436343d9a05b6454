import type { JsonValue } from '../../../contract/json.ts'
import { parseJson } from '../../../contract/schema/parse-json.ts'
import type { Code } from './block.ts'
import type { Finding, Note } from './finding.ts'
import { rowsOf, withoutComments } from './json-text.ts'

/** A JSON value and the lines of its parts. */
export interface Placed {
  readonly value: JsonValue
  /** The line of a part, or of its nearest known parent. */
  readonly lineOf: (pointer: string) => number
}

export const jsonLimits = { maxBytes: 1_048_576, maxDepth: 96 }

/** Parses a block of JSON and reports errors. */
export function readJson(
  { text, line, firstLine }: Code,
  note: Note,
  about: Partial<Finding> = {},
): Placed | undefined {
  const parsed = parseJson(text, jsonLimits)
  if (parsed.ok) return { value: parsed.value, lineOf: toLines(text, firstLine) }
  const plain = withoutComments(text)
  const again = plain === undefined ? undefined : parseJson(plain, jsonLimits)
  if (again?.ok) {
    const message = 'JSON has no comments. They were ignored.'
    note({ ...about, line, kind: 'wrong', code: 'json-comments', severity: 'warning', message, fix: 'Take them out.' })
    return { value: again.value, lineOf: toLines(plain!, firstLine) }
  }
  const { syntax } = parsed
  const fault = syntax ? `Not valid JSON: ${syntax.fault}. Correct the text there.` : parsed.message
  note({
    ...about,
    line: syntax ? firstLine + syntax.line - 1 : line,
    kind: 'wrong',
    code: 'json-invalid',
    severity: 'error',
    message: `This block is not valid JSON: ${fault}`,
  })
  return undefined
}

function toLines(text: string, firstLine: number): Placed['lineOf'] {
  let rows: ReturnType<typeof rowsOf> | undefined
  return (pointer) => {
    rows ??= rowsOf(text)
    for (let place = pointer; place !== ''; place = place.slice(0, place.lastIndexOf('/'))) {
      const row = rows.get(place)
      if (row !== undefined) return firstLine + row
    }
    return firstLine
  }
}
