import { isAbsolute, normalize, relative, resolve } from 'node:path'
import { canonicalJson } from '../../contract/canonical-json.ts'
import type { JsonObject, JsonValue } from '../../contract/json.ts'
import type { PolicyCall } from '../policy-call.ts'

/** An input and its canonical text. */
export interface Reading {
  readonly input: JsonObject
  readonly text: string
}

/**
 * The input and, if different, its variants with normalized paths: shortened, relative to the workspace, absolute, and real. A
 * rule that denies `secrets/…` must also match `./src/../secrets/key` and symlinks. Each variant comes with sorted keys and in
 * contract order, so that rules can be written in either.
 */
export function toReadings(call: PolicyCall): Reading[] {
  const { contract, input, canonicalInput, workspace } = call
  const real = toRealCall(call)
  const readings = new Map<string, JsonObject>([[canonicalInput, input]])
  const spellings = workspace === undefined ? [normalize] : [fromWorkspace(workspace), inFull(workspace)]
  for (const spell of toPathFields(call).length > 0 ? spellings : [])
    for (const reading of [withPaths(call, spell), ...(real ? [withPaths(real, spell)] : [])])
      readings.set(canonicalJson(reading), reading)
  const order = Object.keys(contract.input.properties ?? {})
  return [...readings].flatMap(([text, input]) => {
    const inOrder = toOrderedText(input, order)
    return inOrder === text
      ? [{ input, text }]
      : [
          { input, text },
          { input, text: inOrder },
        ]
  })
}

/** The call with real paths, relative to the workspace if inside; undefined if there are no symlinks. */
export function toRealCall(call: PolicyCall): PolicyCall | undefined {
  const { realPaths, workspace } = call
  if (!realPaths || realPaths.size === 0) return undefined
  const spell = workspace === undefined ? (path: string) => path : fromWorkspace(workspace)
  const input = withPaths(call, (path) => {
    const real = realPaths.get(path)
    return real === undefined ? path : spell(real)
  })
  return { ...call, input, canonicalInput: canonicalJson(input), realPaths: undefined }
}

function toPathFields({ contract, input }: PolicyCall): string[] {
  const { reads = [], writes = [] } = contract.effects
  return [...reads, ...writes].filter((field) => Object.hasOwn(input, field))
}

function withPaths(call: PolicyCall, spell: Spell): JsonObject {
  const spelled = toPathFields(call).map((field) => [field, spellPaths(call.input[field]!, spell)])
  return { ...call.input, ...Object.fromEntries(spelled) }
}

/** Keys that are not in the contract come last, sorted. */
function toOrderedText(input: JsonObject, order: readonly string[]): string {
  const others = Object.keys(input).filter((key) => !order.includes(key))
  const keys = [...order.filter((key) => Object.hasOwn(input, key)), ...others.sort()]
  return `{${keys.map((key) => `${canonicalJson(key)}:${canonicalJson(input[key]!)}`).join(',')}}`
}

type Spell = (path: string) => string

function fromWorkspace(workspace: string): Spell {
  return (path) => {
    const short = relative(workspace, resolve(workspace, path)) || '.'
    return short.startsWith('..') || isAbsolute(short) ? resolve(workspace, path) : short
  }
}

function inFull(workspace: string): Spell {
  return (path) => resolve(workspace, path)
}

function spellPaths(value: JsonValue, spell: Spell): JsonValue {
  if (typeof value === 'string') return spell(value)
  if (Array.isArray(value)) return value.map((item) => spellPaths(item, spell))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, spellPaths(item, spell)]))
}
