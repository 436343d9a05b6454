import { canonicalJson } from '../canonical-json.ts'
import type { Contract, DeclaredError } from '../contract.ts'
import type { JsonValue } from '../json.ts'
import { showValue } from '../text/show-value.ts'
import type { Change, Finding } from './change.ts'
import { diffPolicy } from './diff-policy.ts'
import { diffSchemas } from './diff-schemas.ts'

/** Contracts by the full ids of their tools. */
export type ContractSet = { readonly [id: string]: Contract }

/**
 * The changes from one set of contracts to another, by tool.
 *
 * `diffContractSets({ 'notes.read': old }, {})` returns one breaking change: the tool was removed.
 */
export function diffContractSets(old: ContractSet, next: ContractSet): Change[] {
  const ids = [...new Set([...Object.keys(old), ...Object.keys(next)])].sort()
  return ids.flatMap((id) => {
    const before = Object.hasOwn(old, id) ? old[id] : undefined
    const after = Object.hasOwn(next, id) ? next[id] : undefined
    if (before && after) return diffContracts(before, after).map((change) => ({ ...change, tool: id }))
    return [before ? toRemoved(id, before) : toAdded(id)]
  })
}

/** The changes from one contract to another. */
export function diffContracts(old: Contract, next: Contract): Change[] {
  const findings = [
    ...diffName(old, next),
    ...diffStatus(old, next),
    ...diffWords(old, next),
    ...diffSchemas(old.input, next.input, 'input'),
    ...diffSchemas(old.output, next.output, 'output'),
    ...diffErrors(old.errors, next.errors),
    ...diffPolicy(old, next),
  ]
  return findings.map((finding) => ({ tool: next.name, ...finding }))
}

function toRemoved(tool: string, { status }: Contract): Change {
  // Planned tools cannot be called, so changing them breaks no caller.
  const breaking = status !== 'planned'
  return { tool, pointer: '', category: 'wire', breaking, message: 'The tool was removed.' }
}

function toAdded(tool: string): Change {
  return { tool, pointer: '', category: 'wire', breaking: false, message: 'The tool was added.' }
}

function diffName(old: Contract, next: Contract): Finding[] {
  if (old.name === next.name) return []
  const message = 'The tool was renamed. Callers use the old name.'
  return [{ pointer: '/name', category: 'wire', breaking: true, message, ...toShown(old.name, next.name) }]
}

function diffStatus({ status: before }: Contract, { status: after }: Contract): Finding[] {
  if (before === after) return []
  const shown = { pointer: '/status', ...toShown(before, after) }
  if (after === 'planned') {
    const message = 'The tool is planned again and cannot be called.'
    return [{ ...shown, category: 'wire', breaking: true, message }]
  }
  if (before === 'planned') {
    return [{ ...shown, category: 'wire', breaking: false, message: 'The tool can now be called.' }]
  }
  const message = `The tool is ${after === 'deprecated' ? 'now' : 'no longer'} deprecated.`
  return [{ ...shown, category: 'words', breaking: false, message }]
}

function diffWords(old: Contract, next: Contract): Finding[] {
  return (['title', 'description', 'version', 'transport', 'endpoint', 'summary', 'constraints', 'examples'] as const)
    .filter((field) => canonicalJson(toJson(old[field])) !== canonicalJson(toJson(next[field])))
    .map((field) => ({
      pointer: `/${field}`,
      category: 'words',
      breaking: false,
      message: `The ${field} changed.`,
      ...(field !== 'examples' && toShown(toJson(old[field]), toJson(next[field]))),
    }))
}

function diffErrors(old: readonly DeclaredError[], next: readonly DeclaredError[]): Finding[] {
  const [before, after] = [old, next].map((errors) => new Map(errors.map((error) => [error.code, error])))
  const removed = [...before!.values()].filter(({ code }) => !after!.has(code))
  return [
    ...removed.map(({ code }) => ({
      pointer: `/errors/${old.findIndex((error) => error.code === code)}`,
      category: 'wire' as const,
      breaking: true,
      message: `The error ${code} was removed. Callers may rely on it.`,
    })),
    ...next.flatMap((error, index) => diffError(before!.get(error.code), error, `/errors/${index}`)),
  ]
}

function diffError(old: DeclaredError | undefined, next: DeclaredError, pointer: string): Finding[] {
  const { code } = next
  if (!old) {
    const message = `The error ${code} was added. Existing callers do not know it.`
    return [{ pointer, category: 'wire', breaking: false, message }]
  }
  const status: Finding = {
    pointer: `${pointer}/status`,
    category: 'wire',
    breaking: true,
    message: `The status of the error ${code} changed from ${old.status} to ${next.status}.`,
    ...toShown(old.status, next.status),
  }
  const words = (['when', 'suggestion'] as const).filter((field) => old[field] !== next[field])
  const [before, after] = [old.inputs ?? [], next.inputs ?? []]
  const inputs: Finding = {
    pointer: `${pointer}/inputs`,
    category: 'wire',
    breaking: true,
    message: `The inputs that fail with the error ${code} changed. Callers may rely on the old code.`,
    ...toShown([...before], [...after]),
  }
  return [
    ...(old.status === next.status ? [] : [status]),
    ...(canonicalJson([...before]) === canonicalJson([...after]) ? [] : [inputs]),
    ...words.map((field) => ({
      pointer: `${pointer}/${field}`,
      category: 'words' as const,
      breaking: false,
      message: `The '${field}' of the error ${code} changed.`,
      ...toShown(old[field], next[field]),
    })),
  ]
}

function toShown(before: JsonValue, after: JsonValue) {
  return { before: showValue(before, 200), after: showValue(after, 200) }
}

/** Distinguishes an absent value from every other. */
function toJson(value: unknown): JsonValue {
  return (value ?? null) as JsonValue
}
