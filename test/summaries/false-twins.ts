import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'

/** A claim made false by a rule, and its twin, which differs in that alone and is true. Both quote the sentence. */
export interface Twins {
  readonly kind: string
  readonly quote: string
  readonly holds: string
  readonly fails: string
}

export const dataFolder = new URL('../../../shared/data/', import.meta.url)

/** Which pages twins are made from: the checks were written with one half in view, the other half was kept apart. */
export type Half = 'seen' | 'kept apart'

/** Twins from the sentences of real pages, up to so many of each kind, one for each sentence, in an order that only the text decides. */
export function makeTwins(half: Half, mostOfKind: number): Twins[] {
  const found = new Map<string, Twins[]>(Object.keys(rules).map((kind) => [kind, []]))
  const sentences = [...new Set(readTexts(half).flatMap(toSentences))]
  for (const quote of sentences.sort((one, other) => hash(one) - hash(other))) {
    for (const [kind, rule] of Object.entries(rules)) {
      const of = found.get(kind)!
      const made = of.length < mostOfKind ? rule(quote) : undefined
      if (!made) continue
      const [holds, fails] = made
      if (holds === fails || holds.split(' ').length < 4) continue
      of.push({ kind, quote, holds: toSentence(holds), fails: toSentence(fails) })
      break
    }
  }
  return [...found.values()].flat()
}

type Pages = { readonly [id: string]: { readonly [key: string]: unknown } }

/** The pages of a file of the data folder, by their ids. */
export function readPages(name: string): Pages {
  const bytes = readFileSync(new URL(name, dataFolder))
  return JSON.parse((name.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8'))
}

function readTexts(half: Half): string[] {
  const texts = [
    ...Object.entries(readPages('articles/ground-truth.json')).map(([id, page]) => [id, page.articleBody] as const),
    ...Object.entries(readPages('pages/ground-truth.json.gz')).map(([id, page]) => [id, page.main_content] as const),
    ...Object.entries(readPages('segments/ground-truth.json')).map(([id, page]) => [id, (page.with as string[]).join('\n')] as const), // biome-ignore format: one line
  ]
  return texts.flatMap(([id, text]) =>
    typeof text === 'string' && hash(id) % 2 === (half === 'seen' ? 0 : 1) ? [text] : [],
  )
}

function toSentences(text: string): string[] {
  return text
    .split(/\n+|(?<=[a-z\d)%][.!?]) (?=[A-Z"“])/)
    .map((sentence) => sentence.trim())
    .filter((sentence) => /^[A-Z][^|{}<>_=*#[\]…]{30,260}[.]$/.test(sentence) && isEnglish(sentence))
    .filter((sentence) => !/\b(?:not|no|never|without|none|cannot)\b|n['’]t\b|["“”:;?]/i.test(sentence))
}

function isEnglish(sentence: string): boolean {
  return (sentence.match(/\b(?:the|of|and|in|to|is|was|are|for|with|a|that)\b/g) ?? []).length >= 3
}

type Rule = (sentence: string) => readonly [holds: string, fails: string] | undefined

const number = String.raw`(?:[$€£]\d[\d,.]*\d|[$€£]\d|\d[\d,.]*\d|\d)(?: ?%| percent| (?:million|billion))?`
const year = String.raw`\b(?:19|20)\d\d\b`

const directions: ReadonlyMap<string, string> = new Map(
  [
    ['rose', 'fell'],
    ['increased', 'decreased'],
    ['grew', 'shrank'],
    ['climbed', 'declined'],
    ['jumped', 'plunged'],
    ['surged', 'slipped'],
    ['rise', 'fall'],
    ['increase', 'decrease'],
    ['grow', 'decline'],
    ['rises', 'falls'],
    ['increases', 'decreases'],
    ['rising', 'falling'],
    ['increasing', 'decreasing'],
    ['higher', 'lower'],
    ['up from', 'down from'],
  ].flatMap(([one, other]): [string, string][] => [
    [one!, other!],
    [other!, one!],
  ]),
)
const directed = new RegExp(`\\b(?:${[...directions.keys()].join('|')})\\b`)

const periods = ['second', 'minute', 'hour', 'day', 'week', 'month', 'quarter', 'year']

const bounds: ReadonlyMap<string, string> = new Map([
  ['at least', 'at most'],
  ['more than', 'less than'],
  ['less than', 'more than'],
  ['fewer than', 'more than'],
  ['up to', 'at least'],
])
const bounded = new RegExp(String.raw`\b(${[...bounds.keys()].join('|')}|a minimum of|a maximum of) (?=${number})`, 'i')

const hedge =
  /\b(?:(?:may|might|could) (?:be|have)\b|(?:may|might|could) (?=[a-z]+)|(?:is|are) (?:likely|expected|believed|planning|thought) to |(?:plans?|expects?|intends?|appears?|seems?|hopes?) to |(?:probably|possibly|perhaps|reportedly|allegedly|potentially) )/

const rules: { readonly [kind: string]: Rule } = {
  'wrong year'(sentence) {
    const years = [...new Set(sentence.match(new RegExp(year, 'g')) ?? [])]
    const parts = toParts(sentence)
    const part = parts.find((one) => years.filter((each) => one.includes(each)).length === 1 && hasNumber(one))
    const own = years.find((each) => part?.includes(each))
    const other = years.find((each) => each !== own)
    return part && other && own ? [part, part.replaceAll(own, other)] : undefined
  },
  'wrong place'(sentence) {
    const named = /\b(?:in|for|from|to|on|at) (?:the )?([A-Z][a-z]{3,}(?: [A-Z][a-z]+)?)\b/
    const dates =
      /^(?:January|February|March|April|June|July|August|September|October|November|December|[A-Z][a-z]+day)/
    const [one, other] = toParts(sentence).filter(
      (part) => hasNumber(part) && !dates.test(named.exec(part)?.[1] ?? 'April'),
    )
    if (!one || !other) return undefined
    const [mine, theirs] = [named.exec(one)![1]!, named.exec(other)![1]!]
    return one.includes(theirs) || other.includes(mine) ? undefined : [one, one.replace(mine, theirs)]
  },
  'wrong unit'(sentence) {
    const [one, other] = [...sentence.matchAll(/\b(\d[\d,.]*) ([a-z]{4,}s)\b/g)]
    if (!one || !other || one[2] === other[2] || one[1] === other[1]) return undefined
    const part = toParts(sentence).find((each) => each.includes(one[0])) ?? sentence
    return [part, part.replace(one[0], `${one[1]} ${other[2]}`)]
  },
  'wrong number'(sentence) {
    const [one, other] = toParts(sentence).filter(
      (part) => (part.match(/\d[\d,.]*/g) ?? []).length === 1 && hasNumber(part),
    )
    if (!one || !other) return undefined
    const [mine, theirs] = [one, other].map((part) => new RegExp(number).exec(part)![0]) as [string, string]
    const isAlike = mine.replace(/[\d,.]+/, '') === theirs.replace(/[\d,.]+/, '')
    return isAlike && mine !== theirs ? [one, one.replace(mine, theirs)] : undefined
  },
  'wrong rate'(sentence) {
    const found = new RegExp(`${number}[^,;]{0,25}? (per|an?) (${periods.join('|')})\\b`).exec(sentence)
    if (!found) return undefined
    const other = periods[(periods.indexOf(found[2]!) + 3) % periods.length]!
    const word = found[1] === 'per' ? 'per' : /^hour/.test(other) ? 'an' : 'a'
    const part = toParts(sentence).find((each) => each.includes(found[0])) ?? sentence
    return [part, part.replace(found[0], found[0].replace(/(?:per|an?) \w+$/, `${word} ${other}`))]
  },
  'wrong direction'(sentence) {
    const part = toParts(sentence).find((each) => hasNumber(each) && directed.test(each))
    return part ? [part, part.replace(directed, (word) => directions.get(word)!)] : undefined
  },
  'dropped bound'(sentence) {
    const part = toParts(sentence).find((each) => bounded.test(each))
    return part ? [part, part.replace(bounded, '')] : undefined
  },
  'turned bound'(sentence) {
    const part = toParts(sentence).find((each) => bounds.has(bounded.exec(each)?.[1] ?? ''))
    return part ? [part, part.replace(bounded, (_, words: string) => `${bounds.get(words)} `)] : undefined
  },
  'dropped hedge'(sentence) {
    const part = toParts(sentence).find((each) => hedge.test(each))
    if (!part) return undefined
    return [part, part.replace(hedge, (words) => (/ be$/.test(words) ? 'is' : / have$/.test(words) ? 'has' : ''))]
  },
}

/** Statements of a sentence, as far as commas and conjunctions tell; each could be a claim. */
function toParts(sentence: string): string[] {
  return sentence
    .replace(/\.$/, '')
    .split(
      /, (?:and |but |while |whereas |compared (?:with|to) )?| (?:and|but|while|whereas) (?=(?:in|the|its|a|\d)\b)/,
    )
    .filter((part) => part.split(' ').length >= 4)
}

function hasNumber(part: string): boolean {
  return new RegExp(number).test(part.replace(new RegExp(year, 'g'), ''))
}

function toSentence(text: string): string {
  const words = text.replace(/\s+/g, ' ').trim()
  return `${words[0]!.toUpperCase()}${words.slice(1)}.`
}

/** FNV-1a, so that every run makes the same twins. */
function hash(text: string): number {
  let sum = 0x811c9dc5
  for (let at = 0; at < text.length; at++) sum = Math.imul(sum ^ text.charCodeAt(at), 0x01000193) >>> 0
  return sum
}
