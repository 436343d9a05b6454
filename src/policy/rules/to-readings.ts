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
 * full. A rule that forbids `secrets/…` must see it in `./src/../secrets/key` too.
 */
export function toReadings({ contract, input, canonicalInput, workspace }: PolicyCall): Reading[] {
  const fields = [...(contract.effects.reads ?? []), ...(contract.effects.writes ?? [])]
  if (fields.length === 0) return [{ input, text: canonicalInput }]
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
  return [...readings].map(([text, input]) => ({ input, text }))
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
