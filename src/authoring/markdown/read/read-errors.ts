import { pipelineErrors } from '../../../contract/error-codes.ts'
import { isObject, type JsonObject, type JsonValue } from '../../../contract/json.ts'
import { type Block, textOf } from './block.ts'
import type { Draft } from './draft.ts'
import { toExcerpt } from './finding.ts'
import { type Placed, readJson } from './read-json.ts'
import { codesOf, type Part } from './read-parts.ts'

/** Reads errors as JSON, `[{ "code", "http_status", … }]`, or from prose. */
export function readErrors(part: Part, draft: Draft): void {
  const [code] = codesOf(part)
  if (code) {
    const placed = readJson(code, (finding) => draft.note(finding), { pointer: '/errors' })
    if (placed) takeErrors(placed, draft)
  } else takeCases(part, draft)
}

function takeErrors({ value, lineOf }: Placed, draft: Draft) {
  if (!Array.isArray(value)) {
    const message = 'The errors are not a list.'
    draft.note({
      line: lineOf(''),
      kind: 'wrong',
      code: 'errors-unread',
      severity: 'error',
      message,
      fix: 'Write a list.',
    })
    return
  }
  if (draft.has('errors')) return
  const silent: string[] = []
  const errors = value.map((entry, index): JsonValue => {
    if (!isObject(entry)) return entry
    const { http_status, description, ...rest } = entry
    const error = {
      ...rest,
      ...(http_status !== undefined && rest.status === undefined && { status: http_status }),
      ...(typeof description === 'string' && rest.when === undefined && { when: description }),
    } as JsonObject
    const words = toWords(String(error.code), Number(error.status))
    for (const field of ['when', 'suggestion'] as const) {
      if (error[field] !== undefined) continue
      error[field] = words[field]
      silent.push(`/errors/${index}/${field}`)
    }
    return { code: error.code ?? null, status: error.status ?? null, ...error }
  })
  draft.take('errors', errors, lineOf)
  if (silent.length === 0) return
  draft.assumed.push(...silent)
  const message = 'The errors do not say when they happen and what to do then. Words were made from their codes.'
  draft.note({ line: lineOf(''), kind: 'assumed', code: 'errors-words', pointer: '/errors', message })
}

/** "- File not found: …" */
function takeCases({ blocks, line }: Part, draft: Draft) {
  const errors: JsonObject[] = []
  for (const item of blocks.flatMap((block: Block) => (block.kind === 'list' ? block.items : []))) {
    const text = textOf(item.inlines)
    const [label = '', said = ''] = text.split(/:\s*(.*)/s)
    if (/^["“'`]?warning\b/i.test(said)) {
      const message = 'This is a warning, not an error; contracts cannot contain it.'
      draft.note({ line: item.line, kind: 'left', code: 'warning-in-words', message, text: toExcerpt(text) })
      continue
    }
    const code = toCode(label)
    if (code !== '' && !errors.some((error) => error.code === code)) errors.push({ code, ...toError(label, code) })
  }
  if (errors.length === 0) return
  const message = 'The errors are in words: their codes, statuses and suggestions were made from these.'
  draft.assume('errors', errors, { line, message })
}

/** An error described in prose. */
export function toError(label: string, code: string, status = toStatus(label)): JsonObject {
  const { suggestion } = toWords(code, status)
  return { status, when: `${label.replaceAll(/\s+/g, ' ').replace(/[.\s]*$/, '')}.`, suggestion }
}

/** `File not found (or gone)` becomes file_not_found. */
export function toCode(label: string): string {
  const words = label.replace(/\(.*?\)/g, ' ').toLowerCase()
  return words
    .replaceAll(/[^a-z0-9]+/g, '_')
    .replace(/^[_0-9]+|_+$/g, '')
    .slice(0, 60)
    .replace(/_+$/, '')
}

const statuses: readonly (readonly [RegExp, number])[] = [
  [/time.?out|timed out/i, 504],
  [/not found|no (such|previous)|missing|unknown/i, 404],
  [/denied|permission|outside|forbidden|blocked/i, 403],
  [/exists|conflict|busy/i, 409],
  [/too (large|many|long|big)/i, 413],
  [/rate/i, 429],
  [/network|upstream|connection/i, 502],
  [/invalid|malformed|not a\b/i, 400],
]

function toStatus(label: string): number {
  return statuses.find(([words]) => words.test(label))?.[1] ?? 422
}

function toWords(code: string, status: number): { when: string; suggestion: string } {
  const known = Object.entries(pipelineErrors).find(([name]) => name === code)?.[1]
  if (known) return { when: known.when, suggestion: known.suggestion }
  const words = code.replaceAll('_', ' ')
  const when = `${words.charAt(0).toUpperCase()}${words.slice(1)}.`
  return { when, suggestion: status < 500 ? 'Correct the input and call again.' : 'Call again a little later.' }
}
