import { canonicalJson } from '../../../contract/canonical-json.ts'
import type { JsonValue } from '../../../contract/json.ts'
import { pointerTo } from '../../../contract/schema/json-pointer.ts'
import type { FindSources } from './to-document.ts'

/** Names that usually mean the same. */
const synonyms = [
  ['text', 'content', 'body', 'markdown', 'output', 'result', 'summary', 'clean_text', 'transcript'],
  ['url', 'uri', 'href', 'link', 'address'],
  ['path', 'file', 'file_path', 'filename'],
]

/** Outputs of the same name, or else of a name that usually means the same; those of the latest step first. */
export const findByName: FindSources = ({ name, earlier }) => {
  const others = synonyms.find((group) => group.includes(name)) ?? []
  return earlier.toReversed().flatMap(({ id, call }) => {
    const offered = call.contract.output.properties ?? {}
    return [name, ...others.filter((other) => other !== name)]
      .filter((one) => Object.hasOwn(offered, one))
      .map((one) => pointerTo(`/steps/${id}/output`, one))
  })
}

/** Parts of recorded outputs that equal the value: those of the same name first, then of the latest step. */
export const findByValue: FindSources = ({ name, value, earlier }) => {
  if (value === undefined || !isTelling(value)) return []
  const wanted = canonicalJson(value)
  const found = earlier
    .toReversed()
    .flatMap(({ id, call }) => (call.output === undefined ? [] : findEqual(call.output, wanted, `/steps/${id}/output`)))
  const isNamed = (pointer: string) => pointer.endsWith(`/${name}`)
  return [...found.filter(isNamed), ...found.filter((pointer) => !isNamed(pointer))].slice(0, maxSources)
}

const maxSources = 5
const maxValues = 20_000
const minCharacters = 4

/** Small numbers, short texts and the like are equal by chance. */
function isTelling(value: JsonValue): boolean {
  if (typeof value === 'string') return value.length >= minCharacters
  if (typeof value === 'number') return Math.abs(value) >= 1000
  return typeof value === 'object' && value !== null && Object.keys(value).length > 0
}

function findEqual(root: JsonValue, wanted: string, at: string): string[] {
  const found: string[] = []
  const places: { value: JsonValue; at: string }[] = [{ value: root, at }]
  for (let n = 0; n < places.length && n < maxValues; n++) {
    const { value, at: pointer } = places[n]!
    if (isTelling(value) && canonicalJson(value) === wanted) found.push(pointer)
    if (typeof value === 'object' && value !== null)
      for (const [key, part] of Object.entries(value)) places.push({ value: part, at: pointerTo(pointer, key) })
  }
  return found
}
