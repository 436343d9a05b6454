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
 * The input as it is and, where that differs, with its paths written otherwise: shortened, from the workspace, and in
 * full. A rule that forbids `secrets/…` must see it in `./src/../secrets/key` too. Each of them with its keys sorted and
 * in the order of the contract, so that a rule can be written in either.
 */
export function toReadings({ contract, input, canonicalInput, workspace }: PolicyCall): Reading[] {
  const fields = [...(contract.effects.reads ?? []), ...(contract.effects.writes ?? [])]
  const readings = new Map<string, JsonObject>([[canonicalInput, input]])
  const spellings = workspace === undefined ? [normalize] : [fromWorkspace(workspace), inFull(workspace)]
  for (const spell of spellings) {
    const spelled = fields
      .filter((field) => Object.hasOwn(input, field))
      .map((field) => [field, spellPaths(input[field]!, spell)])
    if (spelled.length === 0) continue
    const reading = { ...input, ...Object.fromEntries(spelled) }
    readings.set(canonicalJson(reading), reading)
  }
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

/** Keys that the contract does not name come last, sorted. */
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
  return Array.isArray(value) ? value.map((item) => spellPaths(item, spell)) : value
}
