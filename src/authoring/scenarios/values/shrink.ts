import type { JsonObject, JsonValue } from '../../../contract/json.ts'

const maxTries = 300

/** Greedily minimizes a failing value. */
export async function shrink(
  value: JsonValue,
  stillFails: (smaller: JsonValue) => Promise<boolean> | boolean,
): Promise<JsonValue> {
  let smallest = value
  let tries = maxTries
  for (let found = true; found; ) {
    found = false
    for (const smaller of smallerThan(smallest)) {
      if (tries-- <= 0) return smallest
      if (!(await stillFails(smaller))) continue
      smallest = smaller
      found = true
      break
    }
  }
  return smallest
}

/** Candidates that are one step smaller, largest steps first. */
function* smallerThan(value: JsonValue): Generator<JsonValue> {
  if (typeof value === 'string') yield* shorterTexts(value)
  else if (typeof value === 'number') yield* smallerNumbers(value)
  else if (value === true) yield false
  else if (Array.isArray(value)) yield* smallerLists(value)
  else if (typeof value === 'object' && value !== null) yield* smallerObjects(value)
}

function* shorterTexts(text: string): Generator<string> {
  const characters = [...text]
  const { length } = characters
  if (length === 0) return
  yield ''
  for (let cut = length >> 1; cut > 0; cut >>= 1) {
    yield characters.slice(0, length - cut).join('')
    yield characters.slice(cut).join('')
  }
  const plain = 'a'.repeat(length)
  if (text !== plain) yield plain
  const simpler = characters.findIndex((character) => character !== 'a')
  if (simpler >= 0 && length <= 100) yield characters.with(simpler, 'a').join('')
}

function* smallerNumbers(number: number): Generator<number> {
  const nearer = [0, Math.trunc(number), Math.trunc(number / 2), number - Math.sign(number)]
  for (const candidate of new Set(nearer)) if (Math.abs(candidate) < Math.abs(number)) yield candidate
  if (number < 0) yield -number
}

function* smallerLists(list: readonly JsonValue[]): Generator<JsonValue[]> {
  for (let cut = list.length; cut > 0; cut >>= 1) {
    for (let at = 0; at < list.length; at += cut) yield list.toSpliced(at, cut)
  }
  for (const [index, item] of list.entries()) for (const smaller of smallerThan(item)) yield list.with(index, smaller)
}

function* smallerObjects(object: JsonObject): Generator<JsonObject> {
  for (const name of Object.keys(object)) {
    const { [name]: _, ...others } = object
    yield others
  }
  for (const [name, part] of Object.entries(object)) {
    for (const smaller of smallerThan(part)) yield { ...object, [name]: smaller }
  }
}
