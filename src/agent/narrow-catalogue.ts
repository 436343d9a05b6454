import type { Contract } from '../contract/contract.ts'
import type { JsonObject, JsonSchema } from '../contract/json.ts'

/** A tool as the catalog lists it. */
export interface Searchable {
  readonly id: string
  readonly toolset: string
  readonly tool: { readonly contract: Contract }
}

/**
 * The tools that fit a question best, so that a model can be told of them all. Offline and always the same: words of the
 * question are looked for in names, descriptions and parameters, and rare ones count more (BM25). Where fewer match than
 * there is room for, the others follow, in turn from each toolset.
 */
export function narrowCatalogue<Entry extends Searchable>(
  entries: readonly Entry[],
  question: string,
  most: number,
): readonly Entry[] {
  if (entries.length <= most) return entries
  const scores = score(indexOf(entries), question, entries.length)
  const best = [...scores].sort(([a, high], [b, low]) => low - high || a - b).slice(0, most)
  const chosen = new Set(best.map(([place]) => place))
  for (const place of inTurn(entries)) {
    if (chosen.size >= most) break
    chosen.add(place)
  }
  return [...chosen].map((place) => entries[place]!)
}

interface Index {
  /** For each word the tools that have it, and how much. */
  readonly words: ReadonlyMap<string, { readonly places: number[]; readonly weights: number[] }>
  /** How many words each tool has, as a share of what is usual. */
  readonly lengths: Float64Array
}

/** The catalog gives the same list while nothing changes. */
const indexes = new WeakMap<readonly Searchable[], Index>()

function indexOf(entries: readonly Searchable[]): Index {
  const known = indexes.get(entries)
  if (known) return known
  const made = toIndex(entries)
  indexes.set(entries, made)
  return made
}

function toIndex(entries: readonly Searchable[]): Index {
  const words = new Map<string, { places: number[]; weights: number[] }>()
  const lengths = new Float64Array(entries.length)
  for (const [place, entry] of entries.entries()) {
    const found = new Map<string, number>()
    for (const [text, weight] of toTexts(entry))
      for (const word of toWords(text)) {
        found.set(word, (found.get(word) ?? 0) + weight)
        lengths[place]! += 1
      }
    for (const [word, weight] of found) {
      const posting = words.get(word) ?? { places: [], weights: [] }
      if (posting.places.length === 0) words.set(word, posting)
      posting.places.push(place)
      posting.weights.push(weight)
    }
  }
  const usual = lengths.reduce((sum, length) => sum + length, 0) / entries.length || 1
  return { words, lengths: lengths.map((length) => length / usual) }
}

function toTexts({ toolset, tool: { contract } }: Searchable): (readonly [text: string, weight: number])[] {
  const properties = Object.entries((contract.input.properties ?? {}) as { [name: string]: JsonSchema })
  return [
    [contract.name, 3],
    [contract.title, 2],
    [toolset, 2],
    [contract.description.slice(0, mostText), 1],
    ...properties.slice(0, mostProperties).flatMap(([name, schema]): (readonly [string, number])[] => [
      [name, 1],
      [String((schema as JsonObject)?.description ?? '').slice(0, mostText), 0.5],
    ]),
  ]
}

/** A server must not win by writing much. */
const mostText = 1000
const mostProperties = 50

const saturation = 1.2
const lengthShare = 0.75

function score({ words, lengths }: Index, question: string, count: number): Map<number, number> {
  const scores = new Map<number, number>()
  for (const word of new Set(toWords(question.slice(0, mostQuestion)))) {
    const posting = words.get(word)
    if (!posting) continue
    const { places, weights } = posting
    const rarity = Math.log(1 + (count - places.length + 0.5) / (places.length + 0.5))
    for (let at = 0; at < places.length; at++) {
      const place = places[at]!
      const weight = weights[at]!
      const damping = saturation * (1 - lengthShare + lengthShare * lengths[place]!)
      const gain = (rarity * weight * (saturation + 1)) / (weight + damping)
      scores.set(place, (scores.get(place) ?? 0) + gain)
    }
  }
  return scores
}

const mostQuestion = 4000

/** Words in one form: `readFiles`, `read_file` and `reading a file` have `read` and `file`. */
function toWords(text: string): string[] {
  const found = plain.test(text)
    ? text.replace(/([a-z])([A-Z])/g, '$1 $2').match(/[A-Za-z0-9]+/g)
    : text
        .normalize('NFKC')
        .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
        .match(/[\p{L}\p{M}\p{N}]+/gu)
  return (found ?? [])
    .map((word) => word.toLowerCase())
    .filter((word) => !common.has(word))
    .map(toStem)
}

/** Most text is, and then it takes a fraction of the time. */
const plain = /^[\x00-\x7f]*$/

const common = new Set(
  'a an and are as at be by do for from how i in is it me my of on or that the this to what with'.split(' '),
)

function toStem(word: string): string {
  if (word.length < 4 || !/^[a-z]+(?:s|e|ed|ing)$/.test(word)) return word
  const stem = word
    .replace(/ies$/, 'y')
    .replace(/(?:ing|ed)$/, '')
    .replace(/(ch|sh|ss|x)es$/, '$1')
    .replace(/([^s])s$/, '$1')
    .replace(/e$/, '')
  return stem.length < 3 ? word : stem
}

/** The first tool of each toolset, then the second of each, and so on. */
function* inTurn(entries: readonly Searchable[]): Generator<number> {
  const lists = [...Map.groupBy(entries.keys(), (place) => entries[place]!.toolset).values()]
  const longest = Math.max(...lists.map((list) => list.length))
  for (let turn = 0; turn < longest; turn++) for (const list of lists) if (list[turn] !== undefined) yield list[turn]!
}
