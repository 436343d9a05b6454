import { isObject, type JsonObject, type JsonValue } from '../json.ts'
import { pointerTo } from '../schema/json-pointer.ts'

/**
 * Finds where the output of a schema differs from its input: a transform. Differences in defaults, descriptions and the
 * handling of undeclared properties do not count.
 */
export function findDifference(
  input: JsonValue | undefined,
  output: JsonValue | undefined,
  pointer = '',
): Difference | undefined {
  if (!isObject(input) || !isObject(output)) return findChange(input, output, pointer)
  const name = findRequired(input, output)
  if (name !== undefined) return { loss: 'default', pointer: pointerTo(`${pointer}/properties`, name) }
  for (const keyword of keysOf(input, output)) {
    const [before, after] = [input[keyword], output[keyword]]
    if (notes.includes(keyword) || (keyword === 'additionalProperties' && isClosing(before) && isClosing(after)))
      continue
    const at = pointerTo(pointer, keyword)
    const found = maps.includes(keyword) ? findInMap(before, after, at) : findDifference(before, after, at)
    if (found) return found
  }
  return undefined
}

interface Difference {
  readonly loss: 'transform' | 'default'
  readonly pointer: string
}

/** Their keys are names, which may equal keywords. */
const maps = ['properties', 'patternProperties', '$defs', 'dependentSchemas']

const notes = ['$schema', 'default', 'title', 'description', 'examples', 'required']

function findInMap(
  before: JsonValue | undefined,
  after: JsonValue | undefined,
  pointer: string,
): Difference | undefined {
  if (!isObject(before) || !isObject(after)) return findChange(before, after, pointer)
  return findFirst(keysOf(before, after), (name) => findDifference(before[name], after[name], pointerTo(pointer, name)))
}

function findChange(
  before: JsonValue | undefined,
  after: JsonValue | undefined,
  pointer: string,
): Difference | undefined {
  if (!Array.isArray(before) || !Array.isArray(after) || before.length !== after.length) {
    return before === after ? undefined : { loss: 'transform', pointer }
  }
  return findFirst([...before.keys()], (index) =>
    findDifference(before[index], after[index], pointerTo(pointer, index)),
  )
}

function findFirst<Key>(keys: Key[], find: (key: Key) => Difference | undefined): Difference | undefined {
  return keys.map(find).find((found) => found !== undefined)
}

function keysOf(before: JsonObject, after: JsonObject): string[] {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])]
}

/** A property that only one side requires, without a default that explains it. */
function findRequired(input: JsonObject, output: JsonObject): string | undefined {
  const [before, after] = [input, output].map(({ required }) => (required ?? []) as string[]) as [string[], string[]]
  const properties = (input.properties ?? {}) as Record<string, JsonObject>
  const added = after.filter((name) => !before.includes(name) && !Object.hasOwn(properties[name] ?? {}, 'default'))
  return [...added, ...before.filter((name) => !after.includes(name))][0]
}

function isClosing(value: JsonValue | undefined): boolean {
  return value === undefined || value === false
}
