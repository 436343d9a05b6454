import { canonicalJson } from '../canonical-json.ts'
import type { JsonObject, JsonValue } from '../json.ts'
import { pointerTo } from '../schema/json-pointer.ts'
import { showValue } from '../text/show-value.ts'
import type { Finding } from './change.ts'
import { type Comparison, createComparison } from './compare.ts'
import type { Side } from './diff-schemas.ts'
import { type Place, placeIn, targetOf } from './document.ts'
import { type Pair, pairsOf } from './pairs.ts'

/** Differences in how schemas are written: annotations, defaults, and equivalent forms. */
export function diffWriting(before: Place, after: Place, side: Side): Finding[] {
  const comparison = createComparison()
  const pairs = pairsOf(before, after, comparison.partsOf)
  const findings = pairs.flatMap((pair) => [...diffNotes(pair), ...diffDefault(pair, side)])
  if (before.document.dialect === after.document.dialect) {
    return [...findings, ...pairs.flatMap((pair) => diffForm(pair, comparison))]
  }
  const message = `The dialect changed from ${before.document.dialect} to ${after.document.dialect}.`
  return [...findings, { pointer: pointerTo(after.pointer, '$schema'), category: 'source', breaking: false, message }]
}

const notes: readonly (readonly [keyword: string, category: 'words' | 'source'])[] = [
  ['title', 'words'],
  ['description', 'words'],
  ['examples', 'words'],
  ['$comment', 'words'],
  ['deprecated', 'source'],
  ['readOnly', 'source'],
  ['writeOnly', 'source'],
  ['contentEncoding', 'source'],
  ['contentMediaType', 'source'],
  ['contentSchema', 'source'],
]

function diffNotes({ before, after }: Pair): Finding[] {
  return notes.flatMap(([keyword, category]) => {
    const found = toDifferent(before, after, keyword)
    return found ? [{ ...found, category, breaking: false, message: describe(keyword, found) }] : []
  })
}

/** A caller who omits a property gets its default, so another default changes the call. */
function diffDefault({ before, after, setsDefaults }: Pair, side: Side): Finding[] {
  const found = toDifferent(before, after, 'default')
  if (!found) return []
  const isSet = side === 'input' && setsDefaults
  return [
    {
      ...found,
      category: isSet ? 'wire' : 'source',
      breaking: isSet && found.before !== undefined,
      message: describe('default', found),
    },
  ]
}

/** The same values in another form. Reported for the innermost schemas only. */
function diffForm(pair: Pair, comparison: Comparison): Finding[] {
  if (!isRewritten(pair, comparison) || pair.inner.some((inner) => isRewritten(inner, comparison))) return []
  const message = 'This is written differently but accepts the same values. Generated types may differ.'
  return [{ pointer: pair.after[0]!.pointer, category: 'source', breaking: false, message }]
}

function isRewritten({ before, after }: Pair, comparison: Comparison): boolean {
  const isSame =
    before.length === after.length && before.every((place, index) => comparison.isSame(place, after[index]!))
  return !isSame && isWithin(before, after, comparison) && isWithin(after, before, comparison)
}

function isWithin(places: readonly Place[], others: readonly Place[], comparison: Comparison): boolean {
  const given = comparison.giving(places.flatMap(comparison.partsOf))
  return others.every((place) => comparison.holds(given, place))
}

type Different = Pick<Finding, 'pointer' | 'before' | 'after'>

function toDifferent(before: readonly Place[], after: readonly Place[], keyword: string): Different | undefined {
  const [old, next] = [before, after].map((places) => places.flatMap((place) => notesIn(place, keyword)))
  const [oldText, nextText] = [old!, next!].map((found) => canonicalJson(found.map(({ value }) => value)))
  if (oldText === nextText) return undefined
  return {
    pointer: (next![0] ?? old![0])!.pointer,
    ...(old!.length > 0 && { before: showValue(old![0]!.value, 200) }),
    ...(next!.length > 0 && { after: showValue(next![0]!.value, 200) }),
  }
}

/** The values of an annotation: of the schema, else of the one it refers to; and those of `allOf`. */
function notesIn(place: Place, keyword: string): { pointer: string; value: JsonValue }[] {
  const { schema, pointer } = place
  if (typeof schema === 'boolean') return []
  const target = targetOf(place)
  const own = Object.hasOwn(schema, keyword) ? [{ pointer: pointerTo(pointer, keyword), value: schema[keyword]! }] : []
  const all = ((schema.allOf ?? []) as JsonObject[]).flatMap((_, index) =>
    notesIn(placeIn(place, 'allOf', index), keyword),
  )
  return [...(own.length === 0 && target ? notesIn(target, keyword) : own), ...all]
}

function describe(keyword: string, { before, after }: Different): string {
  const verb = keyword === 'examples' ? 'were' : 'was'
  if (before === undefined) return `The ${keyword} ${verb} added: ${after}.`
  if (after === undefined) return `The ${keyword} ${verb} removed: ${before}.`
  return `The ${keyword} changed from ${before} to ${after}.`
}
