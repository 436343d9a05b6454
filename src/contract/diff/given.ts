import type { JsonValue } from '../json.ts'
import { accepts } from './accepts.ts'
import type { Place } from './document.ts'
import { allKinds, type Kind, kindOf } from './kind.ts'
import type { Part, PartsOf, Union } from './part.ts'

/** The known facts about a value: the parts that it satisfies, and what follows from them. */
export interface Given {
  readonly parts: readonly Part[]
  readonly kinds: ReadonlySet<Kind>
  /** All possible values, if there are few, by their canonical text. */
  readonly values?: ReadonlyMap<string, JsonValue>
  /** Unions that were already expanded into one of their branches. */
  readonly settled: readonly Union[]
}

interface More {
  readonly kinds?: readonly Kind[]
  readonly settled?: readonly Union[]
}

export function toGiven(parts: readonly Part[], partsOf: PartsOf, more: More = {}): Given {
  const whole = parts.some(({ own }) => Number.isInteger(own.multipleOf))
  const excluding = parts.filter(({ own }) => 'not' in own)
  const kinds = (more.kinds ?? allKinds)
    .filter((kind) => parts.every((part) => part.kinds.has(kind)))
    .filter((kind) => !(whole && kind === 'fraction'))
    .filter((kind) => kind !== 'null' || !excluding.some((part) => accepts(part, null, partsOf) === 'no'))
  const candidates = toValues(parts, kinds)
  const isAccepted = (value: JsonValue) => parts.every((part) => accepts(part, value, partsOf) !== 'no')
  const values = candidates && new Map([...candidates].filter(([, value]) => isAccepted(value)))
  return {
    parts,
    kinds: new Set(values ? [...values.values()].map(kindOf) : kinds),
    ...(values && { values }),
    settled: more.settled ?? [],
  }
}

function toValues(parts: readonly Part[], kinds: readonly Kind[]): ReadonlyMap<string, JsonValue> | undefined {
  const listed = parts.find(({ values }) => values)?.values
  if (listed) return new Map([...listed].filter(([, value]) => kinds.includes(kindOf(value))))
  if (!kinds.every((kind) => kind === 'null' || kind === 'boolean')) return undefined
  const values = kinds.flatMap((kind) => (kind === 'null' ? [null] : [true, false]))
  return new Map(values.map((value) => [String(value), value]))
}

/** Whether no such value can exist. False if unknown. */
export function isImpossible({ parts, kinds }: Given, partsOf: PartsOf, depth = 3): boolean {
  if (kinds.size === 0) return true
  if (depth === 0 || kinds.size > 1 || !kinds.has('object')) return false
  return requiredOf(parts).some((name) =>
    isImpossible(toGiven(partsFor(parts, name, partsOf), partsOf), partsOf, depth - 1),
  )
}

/** The names in `required`. */
export function requiredOf(parts: readonly Part[]): string[] {
  return parts.flatMap(({ own }) => (own.required ?? []) as string[])
}

/** What a property must satisfy, as far as this is known without running patterns. */
export function partsFor(parts: readonly Part[], name: string, partsOf: PartsOf): Part[] {
  return parts.flatMap(({ properties, patterns, others }) => {
    const place: Place | undefined = properties.get(name) ?? (patterns.size === 0 ? others : undefined)
    return place ? partsOf(place) : []
  })
}

/** What the item at an index must satisfy. */
export function partsAt(parts: readonly Part[], index: number, partsOf: PartsOf): Part[] {
  return parts.flatMap(({ prefix, rest }) => {
    const place = prefix[index] ?? rest
    return place ? partsOf(place) : []
  })
}
