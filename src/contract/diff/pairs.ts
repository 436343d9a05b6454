import { type Place, placeIn } from './document.ts'
import type { Part, PartsOf } from './part.ts'

/** Two descriptions of the same value: each is a schema, or several that must all hold. */
export interface Pair {
  readonly before: readonly Place[]
  readonly after: readonly Place[]
  /** Whether a default here is set in an input: true for properties outside branches and conditions. */
  readonly setsDefaults: boolean
  readonly inner: readonly Pair[]
}

interface Where {
  /** Whether it is outside every branch and condition. */
  readonly isReached: boolean
  readonly isProperty: boolean
}

const maxPairs = 5_000
const propertyOf = 'property '

/**
 * Pairs the places of two schemas that describe the same value, outer ones first. Places that only one schema has are
 * skipped.
 */
export function pairsOf(before: Place, after: Place, partsOf: PartsOf): Pair[] {
  const seen = new Set<string>()
  const idOf = createIds()
  const root = toPair([before], [after], { isReached: true, isProperty: false })
  const pairs: Pair[] = []
  const waiting = [root]
  for (let pair = waiting.shift(); pair && pairs.length < maxPairs; pair = waiting.shift()) {
    const key = `${pair.before.map(idOf)}>${pair.after.map(idOf)}${pair.setsDefaults}`
    if (seen.has(key)) continue
    seen.add(key)
    pairs.push(pair)
    waiting.push(...pair.inner)
  }
  return pairs

  function toPair(before: readonly Place[], after: readonly Place[], { isReached, isProperty }: Where): Pair {
    let inner: Pair[] | undefined
    return {
      before,
      after,
      setsDefaults: isReached && isProperty,
      // Lazy, because a schema may be recursive.
      get inner() {
        inner ??= toInner(before, after, isReached)
        return inner
      },
    }
  }

  function toInner(before: readonly Place[], after: readonly Place[], isReached: boolean): Pair[] {
    const others = toChildren(after.flatMap(partsOf))
    return [...toChildren(before.flatMap(partsOf))].flatMap(([label, { places, isBranch }]) => {
      const match = others.get(label)
      if (!match) return []
      return [
        toPair(places, match.places, { isReached: isReached && !isBranch, isProperty: label.startsWith(propertyOf) }),
      ]
    })
  }
}

type Children = Map<string, { readonly places: Place[]; readonly isBranch: boolean }>

function toChildren(parts: readonly Part[]): Children {
  const children: Children = new Map()
  for (const part of parts) {
    for (const [label, place, isBranch] of childrenOf(part)) {
      const { places } = children.get(label) ?? { places: [] }
      children.set(label, { places: [...places, place], isBranch })
    }
  }
  return children
}

function childrenOf(part: Part): [label: string, place: Place, isBranch: boolean][] {
  const { place, own, others, rest } = part
  const branches = ['not', 'if', 'then', 'else', 'contains', 'propertyNames'].filter((keyword) => keyword in own)
  return [
    ...[...part.properties].map(([name, inner]) => toChild(propertyOf + name, inner)),
    ...[...part.patterns].map(([pattern, inner]) => toChild(`pattern ${pattern}`, inner)),
    ...(others ? [toChild('others', others)] : []),
    ...part.prefix.map((inner, index) => toChild(`item ${index}`, inner)),
    ...(rest ? [toChild('rest', rest)] : []),
    ...part.unions.flatMap(({ keyword, branches }) =>
      branches.map((inner, index) => toChild(`${keyword} ${index}`, inner, true)),
    ),
    ...part.dependentSchemas.map(([name, inner]) => toChild(`dependent ${name}`, inner, true)),
    ...branches.map((keyword) => toChild(keyword, placeIn(place, keyword), true)),
  ]
}

function toChild(label: string, place: Place, isBranch = false): [string, Place, boolean] {
  return [label, place, isBranch]
}

function createIds(): (place: Place) => string {
  const ids = new WeakMap<object, number>()
  let last = 0
  return ({ schema }) => {
    if (typeof schema === 'boolean') return String(schema)
    const id = ids.get(schema) ?? ++last
    ids.set(schema, id)
    return String(id)
  }
}
