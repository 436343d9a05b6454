import { toolNameForm, toolsetNameForm } from '../../../contract/forms.ts'
import type { JsonValue } from '../../../contract/json.ts'
import { parseJson } from '../../../contract/schema/parse-json.ts'
import { textOf } from './block.ts'
import type { Draft } from './draft.ts'
import { toExcerpt } from './draft.ts'
import { jsonLimits, readJson } from './json-text.ts'
import { codesOf, type Part, proseOf } from './read-parts.ts'

type ReadField = (part: Part, draft: Draft) => void

/** Single-value fields such as `- status: active`. */
export const fieldReaders = {
  name(part, draft) {
    const { text } = readValue(part)
    if (toolNameForm.test(text)) draft.name = text
    else wrong(part, draft, { code: 'name-invalid', message: 'This cannot be the name of a tool.', fix: nameForm })
  },
  title: (part, draft) => takeText('title', part, draft),
  description(part, draft) {
    const { json, isCode } = readValue(part)
    const text = isCode && typeof json === 'string' ? json : proseOf(part)
    if (text !== '') draft.take('description', text, part.line)
  },
  version: (part, draft) => takeText('version', part, draft),
  status: (part, draft) => takeWord('status', ['active', 'planned', 'deprecated'], part, draft),
  risk: (part, draft) => takeWord('risk', ['read_only', 'safe_write', 'dangerous'], part, draft),
  approval(part, draft) {
    const { word } = readValue(part)
    const isAsk = ['ask', 'yes', 'true', 'required', 'always'].includes(word)
    const isNever = ['never', 'no', 'none', 'false', 'not'].includes(word)
    if (isAsk || isNever) draft.take('approval', isAsk ? 'ask' : 'never', part.line)
    else unknownWord('approval', ['ask', 'never'], part, draft)
  },
  toolset(part, draft) {
    const { name } = readPlace(part)
    if (toolsetNameForm.test(name)) draft.toolset = name
    else
      wrong(part, draft, { code: 'toolset-invalid', message: 'This cannot be the name of a toolset.', fix: nameForm })
  },
  /** The server name is also the toolset, unless the document names another. */
  endpoint(part, draft) {
    const { name, remark } = readPlace(part)
    if (toolsetNameForm.test(name)) draft.toolset ??= name
    if (remark === defaultMark || name === '') return
    draft.take('endpoint', name, part.line)
    if (remark !== '') leaveRemark('endpoint', { taken: name, remark }, part, draft)
  },
  transport(part, draft) {
    const { text, json, isCode, remark } = readValue(part)
    if (typeof json === 'string') return draft.take('transport', json, part.line)
    const whole = isCode && remark !== '' ? textOf(part.inlines).trim() : text
    if (whole !== '' && !whole.endsWith(defaultMark)) draft.take('transport', whole, part.line)
  },
  access: (part, draft) => takeSummary('access', part, draft),
  sideEffects: (part, draft) => takeSummary('sideEffects', part, draft),
  limits: (part, draft) => takeObject('limits', part, draft),
  effects: (part, draft) => takeObject('effects', part, draft),
} as const satisfies { readonly [label: string]: ReadField }

/** Suffix that `toToolsMarkdown` adds to defaults of omitted fields. */
export const defaultMark = '(default)'

const nameForm = 'Use a letter, then letters, digits, _ or -.'

interface Value {
  readonly text: string
  /** The first word, in lower case, with _ for - . */
  readonly word: string
  /** Whether it is code; then `remark` is the text after it. */
  readonly isCode: boolean
  readonly remark: string
  /** The value of the code, if it is JSON. */
  readonly json?: JsonValue
}

function readValue({ inlines }: Part): Value {
  const [first, ...rest] = inlines.filter(({ text }) => text.trim() !== '')
  const isCode = first?.kind === 'code'
  const text = isCode ? first.text : textOf(inlines).trim()
  const json = isCode && /^["{[]/.test(text) ? parseJson(text, jsonLimits) : undefined
  const word = /^[\w-]*/.exec(text.toLowerCase())![0].replaceAll('-', '_')
  const remark = isCode ? textOf(rest).trim() : text.slice(word.length).trim()
  return { text, word, isCode, remark, ...(json?.ok && { json: json.value }) }
}

function takeText(field: 'title' | 'version', part: Part, draft: Draft) {
  const { text, json } = readValue(part)
  if (text !== '') draft.take(field, typeof json === 'string' ? json : text, part.line)
}

function takeWord(field: 'status' | 'risk', words: readonly string[], part: Part, draft: Draft) {
  const { word, remark } = readValue(part)
  if (!words.includes(word)) return unknownWord(field, words, part, draft)
  draft.take(field, word, part.line)
  if (remark !== '') leaveRemark(field, { taken: word, remark }, part, draft)
}

/** `` `web-fetch` (MCP server name) ``: a name or address, and a remark. */
function readPlace(part: Part): { name: string; remark: string } {
  const { text, json, isCode, remark } = readValue(part)
  if (isCode) return { name: typeof json === 'string' ? json : text, remark }
  const [name = ''] = text.split(/\s/)
  return { name, remark: text.slice(name.length).trim() }
}

function leaveRemark(field: string, { taken, remark }: { taken: string; remark: string }, part: Part, draft: Draft) {
  const message = `Of the ${field} only '${toExcerpt(taken)}' was taken; a contract has no place for a remark.`
  draft.note({ line: part.line, kind: 'left', code: `${field}-remark`, message, text: toExcerpt(remark) })
}

function unknownWord(field: string, words: readonly string[], part: Part, draft: Draft) {
  wrong(part, draft, {
    code: `${field}-unknown`,
    message: `The ${field} is not one of ${words.join(', ')}, and was left out.`,
    fix: `Begin with one of them.`,
  })
}

/** The two values are on separate lines. */
function takeSummary(field: 'access' | 'sideEffects', part: Part, draft: Draft) {
  const { text, json } = readValue(part)
  const known = draft.source.summary as { [name: string]: JsonValue } | undefined
  if (known) known[field] ??= typeof json === 'string' ? json : text
  else draft.take('summary', { [field]: typeof json === 'string' ? json : text }, part.line)
}

function takeObject(field: 'limits' | 'effects', part: Part, draft: Draft) {
  const { json } = readValue(part)
  const [code] = codesOf(part)
  const placed = code ? readJson(code, (finding) => draft.note(finding)) : undefined
  const value = json ?? placed?.value
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    draft.take(field, value, placed ? placed.lineOf : part.line)
  else if (!code)
    wrong(part, draft, {
      code: `${field}-unknown`,
      message: `The ${field} are not a JSON object.`,
      fix: 'Write them as JSON.',
    })
}

function wrong(part: Part, draft: Draft, about: { code: string; message: string; fix: string }) {
  draft.note({ line: part.line, kind: 'wrong', severity: 'error', ...about, text: toExcerpt(textOf(part.inlines)) })
}
