import { type SchemaProblem, schemaBounds, toSchemaProblem } from './schema-rules.ts'
import type { Place } from './survey-schema.ts'

/**
 * Follows the references and branches that apply to the same value. A cycle among them would never end, and repeated
 * branching could take exponential time; both are refused.
 */
export function boundReferences(places: readonly Place[]): SchemaProblem[] {
  const costs = new Map<Place, number>()
  const open = new Set<Place>()
  for (const start of places) {
    // An explicit stack: the path can be as long as the schema is large.
    const path = [{ place: start, next: 0, cost: 1 }]
    if (costs.has(start)) continue
    open.add(start)
    while (path.length > 0) {
      const top = path.at(-1)!
      const child = top.place.inPlace[top.next++]
      if (child === undefined) {
        path.pop()
        open.delete(top.place)
        costs.set(top.place, top.cost)
        if (top.cost > schemaBounds.cost) return [tooCostly(top.place)]
        const parent = path.at(-1)
        if (parent) parent.cost += top.cost
      } else if (open.has(child)) {
        return [endless(child)]
      } else if (costs.has(child)) {
        top.cost += costs.get(child)!
      } else {
        open.add(child)
        path.push({ place: child, next: 0, cost: 1 })
      }
    }
  }
  return []
}

function endless({ pointer }: Place): SchemaProblem {
  return toSchemaProblem('reference_loop', pointer, 'This schema refers back to itself for the same value, endlessly')
}

function tooCostly({ pointer }: Place): SchemaProblem {
  const fault = `Checking one value here takes more than ${schemaBounds.cost} subschemas`
  return toSchemaProblem('reference_cost', pointer, fault)
}
