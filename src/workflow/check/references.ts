import { pointerTo } from '../../contract/schema/json-pointer.ts'
import { nearest } from '../../contract/text/nearest.ts'
import { showText } from '../../contract/text/show-value.ts'
import type { Scope } from './infer.ts'
import type { Type, Types } from './type.ts'

const roots = ['input', 'steps', 'run', 'item', 'index'] as const

/** What is wrong with a reference: what it names cannot exist. */
export function findReferenceProblem(path: readonly string[], scope: Scope, types: Types): string | undefined {
  const [root, id] = path as [string, string?]
  const available = roots.filter(
    (name) => types.at({ place: scope.place, missing: 'never' }, name).missing !== 'always',
  )
  if (!(available as string[]).includes(root)) return toUnknownRoot(root, available)
  if (root === 'steps') {
    const fault = findStepProblem(id, scope)
    if (fault) return fault
  }
  return findUndeclared(path, scope, types)
}

function toUnknownRoot(root: string, available: readonly string[]): string {
  if (root === 'item' || root === 'index')
    return `/${root} exists only in the input of a step with forEach. Add forEach, or refer to something else.`
  const near = nearest(root, available)
  const advice = near ? `Did you mean /${near}?` : `Begin with ${available.map((name) => `/${name}`).join(', ')}.`
  return `There is no /${showText(root)}. ${advice}`
}

function findStepProblem(id: string | undefined, { earlier, later, self }: Scope): string | undefined {
  if (id === undefined) return 'This refers to all steps. Refer to one of them: /steps/ID/output.'
  if (earlier.includes(id)) return undefined
  if (id === self) return `The step '${id}' refers to itself. It can refer to earlier steps only.`
  if (later.includes(id)) return `The step '${id}' comes later. Move it up, or refer to an earlier step.`
  const near = nearest(id, [...earlier, ...later])
  const advice = near ? `Did you mean '${near}'?` : 'Correct the id.'
  return `There is no step '${showText(id)}'. ${advice}`
}

/** The first name on the way that no value can have. */
function findUndeclared(path: readonly string[], scope: Scope, types: Types): string | undefined {
  let found: Type = { place: scope.place, missing: 'never' }
  for (const [depth, name] of path.entries()) {
    const inner = types.at(found, name)
    if (inner.missing === 'always') return toUndeclared(path, depth, types.names(found.place) ?? [], found, types)
    found = inner
  }
  return undefined
}

function toUndeclared(
  path: readonly string[],
  depth: number,
  names: readonly string[],
  found: Type,
  types: Types,
): string {
  const parent = path.slice(0, depth).reduce(pointerTo, '')
  const name = showText(path[depth]!)
  const [root, id, part] = path
  if (root === 'steps' && depth === 2) return toStepPart(id!, part!, names)
  const kinds = types.kinds(found.place)
  if (!kinds.has('object') && !kinds.has('array'))
    return `${showText(parent, 200)} is neither an object nor a list, so it has no '${name}'. Correct the pointer.`
  if (!kinds.has('object') && !/^\d+$/.test(path[depth]!))
    return `${showText(parent, 200)} is a list, so it has no '${name}'. Name an item by its index, such as ${showText(pointerTo(parent, 0), 200)}, or take the property of all of them with $pluck.` // biome-ignore format: one line
  const near = nearest(path[depth]!, names)
  const known = names.slice(0, 12).map((one) => `'${showText(one)}'`)
  const advice = near ? `Did you mean '${showText(near)}'?` : known.length > 0 ? `It has ${known.join(', ')}.` : 'Correct the pointer.' // biome-ignore format: one line
  return `${showText(parent, 200)} has no '${name}'. ${advice}`
}

function toStepPart(id: string, part: string, names: readonly string[]): string {
  if (part === 'error')
    return `The step '${id}' has no error here: if it fails, the run stops. Let it continue with "onError": "continue".`
  if (part === 'output') return `The step '${id}' has no output here. Refer to something else.`
  return `A step has no '${showText(part)}'. It has ${names.map((name) => `'${name}'`).join(', ')}.`
}
