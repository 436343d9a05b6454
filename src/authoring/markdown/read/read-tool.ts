import type { JsonObject, JsonValue } from '../../../contract/json.ts'
import { checkClosedBesideBranches, checkVacuousIf } from '../../../contract/lint/branch-rules.ts'
import { checkObjectExplicit } from '../../../contract/lint/object-rules.ts'
import { isSchemaObject, requiredOf, type SchemaNode, walkSchema } from '../../../contract/lint/walk-schema.ts'
import { fromPointer } from '../../../contract/schema/json-pointer.ts'
import { dialectOf } from '../../../contract/schema/survey-schema.ts'
import { textOf } from './block.ts'
import { Draft, type Note, toExcerpt } from './draft.ts'
import type { FoundTool } from './find-tools.ts'
import { interpretConstraints, readConstraints } from './read-constraints.ts'
import { readErrors } from './read-errors.ts'
import { readExamples, readPairs } from './read-examples.ts'
import { fieldReaders } from './read-fields.ts'
import { codesOf, type Part } from './read-parts.ts'
import { mayBeWhole, readSample, readSide, readWhole } from './read-schemas.ts'

/** Reads the tool of a section. Undefined if it is only a template. */
export function readTool({ name, line, parts }: FoundTool, note: Note): Draft | undefined {
  const draft = new Draft(name, line, note)
  if (isTemplate(parts)) {
    const message = 'This is a template with placeholders, not a tool.'
    note({ line, kind: 'left', code: 'template', message, text: toExcerpt(name) })
    return undefined
  }
  // The name first, because findings are reported under it.
  for (const label of ['name', 'toolset', 'endpoint'] as const)
    for (const part of parts) if (part.label === label) fieldReaders[label](part, draft)
  for (const part of parts) readPart(part, draft)
  readPairs(parts, draft)
  takeLead(parts[0]!, draft)
  interpretConstraints(draft)
  return draft
}

function readPart(part: Part, draft: Draft) {
  const { label } = part
  if (label === 'input' || label === 'output') readSide(label, part, draft)
  else if (label === 'schema' || label === 'lead') {
    for (const code of codesOf(part)) {
      if (label === 'lead' ? mayBeWhole(code.text) && readWhole(code, draft) : readWhole(code, draft)) break
    }
  } else if (label === 'sample') readSample(part, draft)
  else if (label === 'errors') readErrors(part, draft)
  else if (label === 'constraints') readConstraints(part, draft)
  else if (label === 'examples') readExamples(part, draft)
  else if (label === 'unknown') leave(part, draft)
  else if (
    label !== 'name' &&
    label !== 'toolset' &&
    label !== 'endpoint' &&
    label !== 'request' &&
    label !== 'response'
  )
    fieldReaders[label](part, draft)
}

/** Falls back to the prose below the heading as description. */
function takeLead({ blocks, line }: Part, draft: Draft) {
  const paragraphs = blocks.filter((block) => block.kind === 'paragraph')
  const text = paragraphs.map(({ inlines }) => textOf(inlines)).join('\n\n')
  if (text !== '') draft.take('description', text, paragraphs[0]?.line ?? line)
}

function leave({ name, line, inlines }: Part, draft: Draft) {
  const message = 'Contracts cannot contain this.'
  draft.note({ line, kind: 'left', code: 'part-unknown', message, text: toExcerpt(name || textOf(inlines)) })
}

/** Placeholders such as `// ...` in its schemas. */
function isTemplate(parts: readonly Part[]): boolean {
  return parts.flatMap(codesOf).some(({ text }) => /^[ \t]*\/\/[ \t]*(\.\.\.|…)[ \t]*$/m.test(text))
}

/** Sets missing required fields and reports the assumptions. */
export function completeDraft(draft: Draft): void {
  const { line } = draft
  const strictest = 'The document says nothing about the risk; the strictest was assumed.'
  draft.assume('risk', 'dangerous', { line, message: strictest })
  completeSide(draft, 'input', { type: 'object', properties: {}, additionalProperties: false })
  completeSide(draft, 'output', { type: 'object' })
  const description = `Takes ${namesIn(draft.source.input)}; returns ${namesIn(draft.source.output)}.`
  const unsaid = 'The document does not say what the tool does. This was derived from its schemas: write a sentence below the heading.' // biome-ignore format: one line
  draft.assume('description', description, { line, message: unsaid, text: description })
  completeSchemas(draft)
  const summary = draft.source.summary as JsonObject | undefined
  if (summary && !(typeof summary.access === 'string' && typeof summary.sideEffects === 'string')) {
    const message = 'A summary needs both access and side effects.'
    draft.note({ line: draft.lineOf('/summary'), kind: 'left', code: 'summary-incomplete', message })
    delete draft.source.summary
  }
}

const maxNames = 8

/** `path and encoding`, from a schema. */
function namesIn(schema: JsonValue | undefined): string {
  const { properties } = (schema ?? {}) as JsonObject
  const names = Object.keys(properties ?? {}).filter((name) => /^[\w.-]{1,64}$/.test(name))
  const shown = names.length > maxNames ? [...names.slice(0, maxNames), 'more'] : names
  return shown.length > 0 ? new Intl.ListFormat('en').format(shown) : 'no named values'
}

function completeSide(draft: Draft, side: 'input' | 'output', schema: JsonObject) {
  if (draft.has(side)) return
  const message = `The document has no schema of the ${side}. ${side === 'input' ? 'None is taken' : 'Any object passes'}.`
  draft.take(side, schema, draft.line)
  draft.assumed.push(`/${side}`)
  draft.note({
    line: draft.line,
    kind: 'wrong',
    code: `${side}-missing`,
    severity: 'error',
    message,
    fix: 'Write one.',
  })
}

/**
 * Completes schemas with what a contract requires but ordinary JSON Schema leaves implicit. Every change is reported; explicit
 * statements of the document are not touched.
 */
function completeSchemas(draft: Draft): void {
  for (const side of ['input', 'output'] as const) {
    const source = draft.source[side]
    if (draft.isAssumed(`/${side}`) || !isSchemaObject(source) || source.type !== 'object') continue
    const schema = structuredClone(source) as JsonObject
    // Mutates only this copy.
    for (const node of walkSchema(schema, `/${side}`) as MutableNode[]) {
      if (node.parent) openNested(node, draft)
      else closeRoot(node, draft)
      requireInIf(node, draft)
    }
    draft.source[side] = schema
  }
}

interface MutableNode extends SchemaNode {
  readonly schema: JsonObject
}

/** Undeclared properties are refused at the top level, as for tools of servers. */
function closeRoot(node: MutableNode, draft: Draft) {
  const { schema } = node
  if ('additionalProperties' in schema || 'unevaluatedProperties' in schema) return
  const closed = { ...node, schema: { ...schema, additionalProperties: false } }
  const hasBranches = checkClosedBesideBranches(closed).length > 0
  if (hasBranches && dialectOf(schema.$schema) === 'draft-07') return
  const keyword = hasBranches ? 'unevaluatedProperties' : 'additionalProperties'
  schema[keyword] = false
  const message = `The schema does not say whether other properties are allowed. ${keyword}: false was added, so they are refused.`
  note(draft, { code: 'root-closed', pointer: `${node.pointer}/${keyword}`, message })
}

/** JSON Schema allows other properties by default, and nested objects may contain arbitrary data. */
function openNested(node: MutableNode, draft: Draft) {
  const [finding] = checkObjectExplicit(node)
  if (!finding) return
  node.schema.additionalProperties = true
  const message = 'The object does not say whether other properties are allowed. additionalProperties: true was added, which means the same.' // biome-ignore format: one line
  note(draft, { code: 'object-open', pointer: finding.pointer, message })
}

/** An `if` about an optional property must require it first. */
function requireInIf(node: MutableNode, draft: Draft) {
  const condition = node.schema.if
  for (const { pointer } of checkVacuousIf(node)) {
    const name = fromPointer(pointer)!.at(-1)!
    if (!isSchemaObject(condition)) continue
    const asking = condition as JsonObject
    asking.required = [...requiredOf(asking), name]
    const message = `This if also held when '${name}' is absent. required: ['${name}'] was added to it.`
    note(draft, { code: 'if-asks', pointer, message })
  }
}

function note(draft: Draft, { code, pointer, message }: { code: string; pointer: string; message: string }) {
  draft.note({ line: draft.lineOf(pointer), kind: 'assumed', code, pointer, message })
}
