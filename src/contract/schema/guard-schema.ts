/**
 * The guard in front of the schema engine. Schemas come from MCP servers and authors, so none reaches ajv before it passed.
 *
 * Invariant: an admitted schema is a private copy, uses only keywords of our table, refers only to itself, has no reference
 * cycle that stays at the same value, and all its patterns run in linear time. Validating with it is then bounded by the
 * step budget (`step-budget.ts`).
 *
 * Hard part: each check must itself be bounded, because it runs on schemas that are not admitted yet. The order matters:
 * size and depth, then keywords and references, then the cost of references, then the patterns.
 */

import { isObject, type JsonValue } from '../json.ts'
import { shorten } from '../text/shorten.ts'
import { boundJson } from './bound-json.ts'
import { boundReferences } from './bound-references.ts'
import type { JsonRefusal } from './json-refusal.ts'
import type { Dialect } from './keywords.ts'
import { type LinearPattern, loadLinearPattern } from './linear-pattern.ts'
import { PatternFault } from './pattern-fault.ts'
import { type SchemaProblem, schemaBounds, toSchemaProblem } from './schema-rules.ts'
import { dialectOf, type Survey, surveySchema } from './survey-schema.ts'

export type { SchemaProblem } from './schema-rules.ts'

export type SchemaVerdict =
  | { readonly admitted: true; readonly dialect: Dialect }
  | { readonly admitted: false; readonly problems: SchemaProblem[] }

/**
 * Decides whether a schema is valid and can be checked in bounded time. Schemas may come from untrusted servers.
 *
 * `await guardSchema({ type: 'strng' })` is refused by the rule `invalid_keyword` at `/type`.
 */
export async function guardSchema(schema: unknown): Promise<SchemaVerdict> {
  const examined = await examineSchema(schema)
  return examined.admitted ? { admitted: true, dialect: examined.survey.dialect } : examined
}

/** An admitted schema: an immutable copy, and what the survey found in it. */
export interface AdmittedSchema {
  readonly admitted: true
  readonly root: JsonValue
  readonly survey: Survey
  readonly patterns: ReadonlyMap<string, LinearPattern>
}

export async function examineSchema(
  schema: unknown,
): Promise<AdmittedSchema | { readonly admitted: false; readonly problems: SchemaProblem[] }> {
  const copy = boundJson(schema, { maxBytes: schemaBounds.bytes, maxDepth: schemaBounds.depth })
  if (!copy.ok) return refuse([fromRefusal(copy)])
  const root = copy.value
  const named = isObject(root) ? root.$schema : undefined
  const dialect = dialectOf(named)
  if (dialect === undefined) {
    const fault = `The dialect ${shorten(JSON.stringify(named), 100)} is not supported`
    return refuse([toSchemaProblem('unsupported_dialect', '/$schema', fault)])
  }
  const survey = surveySchema(root, dialect)
  if (survey.problems.length > 0) return refuse(survey.problems)
  const costly = boundReferences(survey.places)
  if (costly.length > 0) return refuse(costly)
  const { patterns, problems } = await compilePatterns(survey.patterns)
  return problems.length > 0 ? refuse(problems) : { admitted: true, root, survey, patterns }
}

function refuse(problems: readonly SchemaProblem[]): { admitted: false; problems: SchemaProblem[] } {
  return { admitted: false, problems: [...problems] }
}

function fromRefusal({ reason, pointer, fault }: JsonRefusal): SchemaProblem {
  const rule = pointer.endsWith('/__proto__') ? 'prototype_key' : reason
  return toSchemaProblem(rule, pointer, fault)
}

async function compilePatterns(
  sources: Survey['patterns'],
): Promise<{ patterns: Map<string, LinearPattern>; problems: SchemaProblem[] }> {
  const patterns = new Map<string, LinearPattern>()
  const problems: SchemaProblem[] = []
  if (sources.size === 0) return { patterns, problems }
  const compile = await loadLinearPattern()
  let size = 0
  for (const [source, pointer] of sources) {
    try {
      const pattern = compile(source)
      size += pattern.size
      patterns.set(source, pattern)
    } catch (error) {
      const { message } = error as Error
      const reason = error instanceof PatternFault ? message : `cannot be used: ${message}`
      const fault = `The pattern ${JSON.stringify(shorten(source, 100))} ${reason}`
      problems.push(toSchemaProblem('pattern', pointer, fault))
    }
    if (size > schemaBounds.patternSize) {
      problems.push(toSchemaProblem('too_many_parts', pointer, 'The patterns up to this one are too large in total'))
    }
    if (size > schemaBounds.patternSize || problems.length >= schemaBounds.problems) break
  }
  return { patterns, problems }
}
