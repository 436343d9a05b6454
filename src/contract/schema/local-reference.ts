import type { JsonValue } from '../json.ts'
import { fromPointer, pointerTo } from './json-pointer.ts'
import type { SchemaRule } from './schema-rules.ts'

type Target =
  | { readonly found: true; readonly pointer: string; readonly schema: JsonValue }
  | { readonly found: false; readonly rule: SchemaRule; readonly fault: string }

/** Resolves a local `$ref`: `#`, or `#/` and a pointer, percent- and tilde-escaped. */
export function findTarget(root: JsonValue, reference: string): Target {
  if (!reference.startsWith('#')) return lost('reference_not_local', 'which is outside this document')
  const fragment = decode(reference.slice(1))
  if (fragment === undefined) return lost('reference_not_found', 'which is not escaped as a URI should be')
  if (fragment !== '' && !fragment.startsWith('/')) return lost('identifier', 'which names an anchor')
  const segments = fromPointer(fragment)
  if (segments === undefined) return lost('reference_not_found', 'in which "~" is not escaped as "~0"')
  let schema: JsonValue | undefined = root
  for (const segment of segments) {
    schema = step(schema, segment)
    if (schema === undefined) return lost('reference_not_found', 'which is not in this document')
  }
  return { found: true, pointer: segments.reduce(pointerTo, ''), schema }
}

function decode(fragment: string): string | undefined {
  try {
    return decodeURIComponent(fragment)
  } catch {
    return undefined
  }
}

function step(value: JsonValue, segment: string): JsonValue | undefined {
  if (Array.isArray(value)) return /^(?:0|[1-9]\d*)$/.test(segment) ? value[Number(segment)] : undefined
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, segment)) return undefined
  return value[segment]
}

function lost(rule: SchemaRule, fault: string): Target {
  return { found: false, rule, fault }
}
