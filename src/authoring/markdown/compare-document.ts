import { canonicalJson } from '../../contract/canonical-json.ts'
import type { Contract, ContractSource, DeclaredError } from '../../contract/contract.ts'
import { diffContracts } from '../../contract/diff/diff-contracts.ts'
import type { JsonValue } from '../../contract/json.ts'
import { servedOver, toTransports } from '../../contract/transport.ts'
import { toSummary } from '../../projections/summary.ts'
import type { DocumentedContract } from './from-markdown.ts'

interface Served {
  readonly id: string
  readonly toolset: string
  readonly tool: { readonly contract: Contract }
}

/** A difference between the document and the code. */
export interface Disagreement {
  readonly line: number
  readonly tool: string
  /** JSON pointer into the contract; empty for the whole tool. */
  readonly pointer: string
  readonly message: string
  readonly fix: string
}

/**
 * Compares a document with the served tools. Only documented parts are compared, so limits or examples may be omitted. A toolset
 * in the document must be documented completely.
 */
export function compareDocument(
  documented: readonly DocumentedContract[],
  served: readonly Served[],
): readonly Disagreement[] {
  const matched = new Map<string, Served>()
  const found = documented.flatMap((entry): Disagreement[] => {
    const candidates = served.filter(({ id, tool }) =>
      entry.toolset === undefined ? tool.contract.name === entry.source.name : id === entry.id,
    )
    const [match, ...others] = candidates
    if (!match || others.length > 0) return [toUnmatched(entry, candidates)]
    matched.set(match.id, match)
    return compare(entry, match)
  })
  const toolsets = new Set([...matched.values()].map(({ toolset }) => toolset))
  const missing = served.filter(({ id, toolset }) => toolsets.has(toolset) && !matched.has(id))
  return [...found, ...missing.map(toMissing)].toSorted((one, other) => one.line - other.line)
}

function toUnmatched({ id, line }: DocumentedContract, candidates: readonly Served[]): Disagreement {
  if (candidates.length === 0)
    return { line, tool: id, pointer: '', message: 'There is no such tool.', fix: 'Remove it, or correct its name.' }
  const toolsets = candidates.map(({ toolset }) => toolset)
  const message = `Several toolsets have a tool of this name: ${toolsets.join(', ')}.`
  return {
    line,
    tool: id,
    pointer: '',
    message,
    fix: `Write below its heading which is meant: - toolset: ${toolsets[0]}`,
  }
}

function toMissing({ id }: Served): Disagreement {
  const message = 'The tool is missing from the document, which has others of its toolset.'
  return { line: 1, tool: id, pointer: '', message, fix: 'Add it.' }
}

function compare(entry: DocumentedContract, { id, toolset, tool: { contract } }: Served): Disagreement[] {
  return diffContracts(toStated(entry, contract, toolset), contract)
    .filter(({ category }) => category !== 'source')
    .map(({ pointer, message, before, after }) => ({
      line: entry.lineOf(toPlace(pointer, entry.source, contract)),
      tool: id,
      pointer,
      message: `From the document to the code: ${message}${toShown(message, before, after)}`,
      fix: 'Correct the one that is wrong.',
    }))
}

function toShown(message: string, before?: string, after?: string): string {
  if ((before === undefined && after === undefined) || message.includes(`to ${after}`)) return ''
  return ` The document has ${before ?? 'none'}, the code ${after ?? 'none'}.`
}

/** The contract of the code, overridden by everything the document specifies. */
function toStated({ source, assumed }: DocumentedContract, served: Contract, toolset: string): Contract {
  const whole = ['title', 'description', 'version', 'status', 'risk', 'approval', 'input', 'output', 'effects'] as const
  const states = (field: keyof ContractSource) => source[field] !== undefined && !assumed.includes(`/${field}`)
  const { summary } = source
  const derived = toSummary(served)
  const isDerived = summary?.access === derived.access && summary.sideEffects === derived.sideEffects
  return {
    ...served,
    ...Object.fromEntries(whole.filter(states).map((field) => [field, source[field]])),
    ...toReach(source, served, toolset),
    limits: { ...served.limits, ...source.limits },
    errors: states('errors')
      ? source.errors!.map((error, index) => fill(error, served, assumed, index))
      : served.errors,
    ...(summary && states('summary') && !isDerived && { summary }),
    ...(states('constraints') && !holds(served.constraints ?? [], source.constraints!) && { constraints: source.constraints! }), // biome-ignore format: one line
    ...(states('examples') && !holds(served.examples, source.examples!) && { examples: source.examples! }),
  }
}

/** A document may list only some transports. Fields that a contract omits have their defaults. */
function toReach({ transport, endpoint }: ContractSource, served: Contract, toolset: string) {
  const over = toTransports(served.transport ?? servedOver)
  const named = [...toTransports(transport ?? '')]
  const isServed = transport === served.transport || (named.length > 0 && named.every((name) => over.has(name)))
  const isThere = endpoint === undefined || endpoint === (served.endpoint ?? toolset)
  return { ...(transport !== undefined && !isServed && { transport }), ...(!isThere && { endpoint }) }
}

/** Undocumented parts of an error are taken from the code. */
function fill(error: DeclaredError, served: Contract, assumed: readonly string[], index: number): DeclaredError {
  const known = served.errors.find(({ code }) => code === error.code)
  const stated = Object.entries(error).filter(([field]) => !assumed.includes(`/errors/${index}/${field}`))
  return known ? { ...known, ...Object.fromEntries(stated) } : error
}

/** Whether every item matches one of the others, ignoring omitted fields. */
function holds(all: readonly unknown[], some: readonly unknown[]): boolean {
  return some.every((one) => all.some((other) => canonicalJson(one as JsonValue) === canonicalJson(toPart(other, one))))
}

/** The fields of `other` that `one` also has. */
function toPart(other: unknown, one: unknown): JsonValue {
  if (typeof other !== 'object' || typeof one !== 'object') return other as JsonValue
  return Object.fromEntries(Object.entries(other as object).filter(([key]) => Object.hasOwn(one as object, key)))
}

/** The order of errors in the document does not matter. */
function toPlace(pointer: string, { errors = [] }: ContractSource, served: Contract): string {
  const [, index, rest] = /^\/errors\/(\d+)(.*)$/.exec(pointer) ?? []
  if (index === undefined) return pointer
  const own = errors[Number(index)]
  const isRemoved = own && !served.errors.some(({ code }) => code === own.code)
  if (isRemoved) return pointer
  const place = errors.findIndex(({ code }) => code === served.errors[Number(index)]?.code)
  return place < 0 ? '/errors' : `/errors/${place}${rest}`
}
