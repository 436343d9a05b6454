import type { Contract } from './contract.ts'
import * as branch from './lint/branch-rules.ts'
import * as whole from './lint/contract-rules.ts'
import * as engine from './lint/engine-rules.ts'
import * as error from './lint/error-rules.ts'
import * as example from './lint/example-rules.ts'
import * as keyword from './lint/keyword-rules.ts'
import { type Finding, type LintProblem, pointTo } from './lint/lint-problem.ts'
import * as object from './lint/object-rules.ts'
import * as value from './lint/value-rules.ts'
import { isSchemaObject, type SchemaNode, walkSchema } from './lint/walk-schema.ts'
import { guardSchema, type SchemaVerdict } from './schema/guard-schema.ts'
import { type SchemaProblem, schemaRules } from './schema/schema-rules.ts'
import type { Toolset } from './tool.ts'
import { ToolpactError } from './toolpact-error.ts'

export type { LintProblem } from './lint/lint-problem.ts'

/**
 * The problems of a contract. An empty list means that it can be relied on: every check can fail, and every example is
 * true.
 */
export async function lintContract(contract: Contract): Promise<LintProblem[]> {
  if (!isSchemaObject(contract)) throw invalid('lintContract takes a contract: pass the contract of a tool.')
  const problems = contractRules.flatMap(([rule, severity, check]) => toProblems(rule, severity, check(contract)))
  for (const side of ['input', 'output'] as const) {
    const guard = await guardSchema(contract[side])
    const root = isSchemaObject(contract[side]) ? contract[side] : {}
    const nodes = isBounded(guard) ? walkSchema(root, `/${side}`) : []
    for (const [rule, severity, check] of nodeRules) problems.push(...toProblems(rule, severity, nodes.flatMap(check)))
    if (guard.admitted) {
      for (const [rule, severity, check] of engineRules) {
        for (const node of nodes) problems.push(...toProblems(rule, severity, await check(node)))
      }
      const checkExamples = side === 'input' ? example.checkExampleInputs : example.checkExampleOutputs
      problems.push(...toProblems(`example-${side}`, 'error', await checkExamples(contract)))
    } else {
      const refused = guard.problems.map((problem) => toRefusal(problem, `/${side}`))
      // A lint rule explains the mistake better than the schema guard.
      problems.push(...refused.filter(({ pointer }) => !problems.some((known) => known.pointer === pointer)))
    }
  }
  return problems
}

/** The problems of the contracts in a toolset, and of their names together. */
export async function lintToolset(toolset: Toolset<never>): Promise<LintProblem[]> {
  if (!Array.isArray(toolset?.tools)) throw invalid('lintToolset takes a toolset: make one with defineToolset.')
  const problems: LintProblem[] = []
  const names = toolset.tools.map(({ contract }) => contract.name)
  const folded = names.map((name) => name.toLowerCase().replaceAll(/[^a-z0-9:]/g, ''))
  for (const [index, { contract, offer }] of toolset.tools.entries()) {
    const pointer = pointTo('/tools', index, 'contract')
    const first = folded.indexOf(folded[index]!)
    if (first !== index) {
      const message = `The name '${names[index]}' is ambiguous with '${names[first]}' if case or separators are dropped.`
      const fix = 'Rename one of them.'
      problems.push({ rule: 'name-unique', pointer: `${pointer}/name`, message, fix, severity: 'error' })
    }
    // Helpers are made, not written.
    if (offer?.kind === 'helper') continue
    for (const problem of await lintContract(contract))
      problems.push({ ...problem, pointer: pointer + problem.pointer })
  }
  return problems
}

function invalid(message: string): ToolpactError {
  return new ToolpactError('invalid_contract', message)
}

type Rule<Subject, Found> = readonly [
  rule: string,
  severity: LintProblem['severity'],
  check: (subject: Subject) => Found,
]

const contractRules: readonly Rule<Contract, Finding[]>[] = [
  ['name-form', 'error', whole.checkName],
  ['description-says', 'error', whole.checkDescription],
  ['description-ends', 'warning', whole.checkDescriptionEnds],
  ['version-semver', 'error', whole.checkVersion],
  ['place-form', 'error', whole.checkPlace],
  ['transport-known', 'warning', whole.checkTransport],
  ['limits-sane', 'error', whole.checkLimits],
  ['timeout-short', 'warning', whole.checkTimeout],
  ['effects-declared', 'error', whole.checkEffects],
  ['data-flow', 'error', whole.checkDataFlow],
  ['risk-fits-effects', 'error', whole.checkRisk],
  ['danger-asks', 'warning', whole.checkApproval],
  ['error-complete', 'error', error.checkErrorComplete],
  ['error-unique', 'error', error.checkErrorUnique],
  ['error-status', 'error', error.checkErrorStatus],
  ['error-inputs', 'error', error.checkErrorInputs],
  ['example-present', 'warning', example.checkExamplePresent],
  ['example-outcome', 'error', example.checkExampleOutcome],
  ['example-varies', 'error', example.checkExampleVaries],
]

const nodeRules: readonly Rule<SchemaNode, Finding[]>[] = [
  ['root-object', 'error', object.checkRootObject],
  ['root-closed', 'error', object.checkRootClosed],
  ['object-explicit', 'error', object.checkObjectExplicit],
  ['required-declared', 'error', object.checkRequiredDeclared],
  ['required-list', 'error', object.checkRequiredList],
  ['default-not-required', 'error', object.checkDefaultNotRequired],
  ['property-described', 'warning', object.checkPropertyDescribed],
  ['vacuous-if', 'error', branch.checkVacuousIf],
  ['if-complete', 'error', branch.checkIfComplete],
  ['closed-beside-branches', 'error', branch.checkClosedBesideBranches],
  ['idle-keyword', 'error', keyword.checkIdleKeywords],
  ['mistyped-keyword', 'error', keyword.checkMistypedKeywords],
  ['bounds-contradict', 'error', keyword.checkBounds],
  ['enum-type', 'error', value.checkEnumTypes],
  ['enum-duplicate', 'error', value.checkEnumDuplicates],
  ['default-in-enum', 'error', value.checkDefaultInEnum],
  ['default-in-branch', 'warning', value.checkDefaultInBranch],
  ['pattern-anchored', 'warning', value.checkPatternAnchored],
  ['format-known', 'error', value.checkFormatKnown],
]

const engineRules: readonly Rule<SchemaNode, Promise<Finding[]>>[] = [
  ['default-valid', 'error', engine.checkDefaultValid],
  ['oneof-overlap', 'warning', engine.checkOneOfOverlap],
]

/** Every lint rule with its severity, for the reference. A schema that the guard refuses is reported as `schema-RULE`. */
export const lintRules: readonly (readonly [rule: string, severity: LintProblem['severity']])[] = [
  ...[...contractRules, ...nodeRules, ...engineRules].map(([rule, severity]) => [rule, severity] as const),
  ['example-input', 'error'],
  ['example-output', 'error'],
  ['name-unique', 'error'],
]

/** Schemas that the guard refuses for their size are not examined any further. */
function isBounded(guard: SchemaVerdict): boolean {
  const unbounded = ['not_json', 'too_large', 'too_deep', 'too_many_parts']
  return guard.admitted || !guard.problems.some(({ rule }) => unbounded.includes(rule))
}

function toRefusal({ rule, pointer, fault }: SchemaProblem, side: string): LintProblem {
  const problem = { rule: `schema-${rule}`, pointer: side + pointer, message: `${fault}.`, fix: schemaRules[rule] }
  return { ...problem, severity: 'error' }
}

function toProblems(rule: string, severity: LintProblem['severity'], findings: readonly Finding[]): LintProblem[] {
  return findings.map((finding) => ({ rule, ...finding, severity }))
}
