import { hash } from 'node:crypto'
import type { Corpus, CorpusTool } from './corpus.ts'

/** A query with its expected tool; any tool of the same name counts. */
export interface Query {
  readonly kind: Kind
  readonly text: string
  readonly answers: ReadonlySet<string>
}

/** How a query is made from a definition. */
export const kinds = {
  task: 'first sentence of the description, in other words',
  unnamed: 'the same without the words of the name',
  parameters: 'descriptions of two parameters, without the words of the name',
  detail: 'a later sentence of the description, without the words of the name',
  typo: 'the words of the name, two letters of the longest swapped, and one word of the description',
} as const

export type Kind = keyof typeof kinds

/** People type few words. */
const maxWords = 5
const minWords = 3

/**
 * Makes queries from real definitions, always the same ones. Words that only one tool uses are removed, since a person
 * who searches does not know them. Verbs are replaced by others, long words by their short forms, and of the remaining
 * words every second one by another form of it that the definitions use (`file` by `files`, `create` by `creating`).
 * With `verbatim` the words stay as they are in the definition.
 */
export function makeQueries(corpus: Corpus, tools: readonly CorpusTool[], { verbatim = false } = {}): Query[] {
  const counts = countTools(corpus)
  return tools.flatMap((tool) => {
    const answers = corpus.sameName(tool)
    return Object.entries(makers).flatMap(([kind, make]): Query[] => {
      const isKnown = (word: string) => word.length > 1 && (kind === 'typo' || (counts.get(word) ?? 0) > 1)
      const kept = make(tool).filter(isKnown).slice(0, maxWords)
      const words = kind === 'typo' || verbatim ? kept : kept.map((word, place) => toOther(word) ?? (place % 2 === 0 ? toOtherForm(word, counts) : word)) // biome-ignore format: one line
      return words.length < minWords ? [] : [{ kind: kind as Kind, text: words.join(' '), answers }]
    })
  })
}

const makers: { readonly [kind in Kind]: (tool: CorpusTool) => string[] } = {
  task: ({ description }) => toWords(toSentences(description)[0]),
  unnamed: (tool) => withoutName(tool, toWords(toSentences(tool.description)[0])),
  parameters: (tool) =>
    withoutName(
      tool,
      tool.parameters
        .filter(({ description }) => toWords(description).length > 1)
        .slice(0, 2)
        .flatMap(({ description }) => toWords(toSentences(description)[0]).slice(0, 5)),
    ),
  detail: (tool) => withoutName(tool, toWords(toSentences(tool.description).slice(1).find(isLong))),
  typo(tool) {
    const name = toNameWords(tool.name)
    const longest = name.toSorted((a, b) => b.length - a.length)[0] ?? ''
    if (longest.length < 5) return []
    const [word] = withoutName(tool, toWords(tool.description)).filter((word) => word.length > 4)
    return [...name.map((word) => (word === longest ? toTypo(word) : word)), ...(word ? [word] : [])]
  },
}

/** Held-out half of the servers, by a hash of their names. Chosen before tuning. */
export function isHeldOut(server: string): boolean {
  return Number.parseInt(hash('sha256', server).slice(0, 2), 16) % 2 === 1
}

function countTools({ tools }: Corpus): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { name, description, parameters } of tools) {
    const texts = [...toNameWords(name), ...toWords(description), ...parameters.flatMap((each) => toWords(each.description))] // biome-ignore format: one line
    for (const word of new Set(texts)) counts.set(word, (counts.get(word) ?? 0) + 1)
  }
  return counts
}

function toSentences(text: string): string[] {
  return text
    .split(/(?<=[.!?])\s+|\n+/)
    .map((sentence) => sentence.trim())
    .filter((sentence) => toWords(sentence).length > 1)
}

function isLong(sentence: string): boolean {
  return toWords(sentence).length > 4
}

export function toNameWords(name: string): string[] {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '')
}

function toWords(text = ''): string[] {
  return (text.toLowerCase().match(/[a-z][a-z0-9]*/g) ?? []).filter((word) => !empty.has(word))
}

/** Includes other forms: `records` for `record`. */
function withoutName({ name, server }: CorpusTool, words: readonly string[]): string[] {
  const named = [...toNameWords(name), ...toNameWords(server)]
  const isNamed = (word: string) =>
    named.some((each) => each.length > 2 && word.slice(0, Math.max(4, each.length - 1)) === each.slice(0, Math.max(4, each.length - 1))) // biome-ignore format: one line
  return words.filter((word) => !isNamed(word))
}

function toTypo(word: string): string {
  const at = Math.floor(word.length / 2)
  return `${word.slice(0, at)}${word[at + 1] ?? ''}${word[at]}${word.slice(at + 2)}`
}

function toOther(word: string): string | undefined {
  return otherVerbs[word] ?? shortForms[word]
}

function toOtherForm(word: string, counts: ReadonlyMap<string, number>): string {
  const stem = word.replace(/(?:ing|ed|es|s|e)$/, '')
  const forms = word.length < 4 ? [] : [`${word}s`, stem, `${stem}e`, `${stem}ing`, `${stem}ed`]
  return forms.find((form) => form !== word && counts.has(form)) ?? word
}

const empty = new Set(
  'a an and any are as at be by can for from has have if in into is it its of on only or s so such than that the their them then there these this those to use used using was when which will with you your tool this e g i'.split(' '), // biome-ignore format: one line
)

const shortForms: { readonly [word: string]: string } = {
  repository: 'repo', repositories: 'repos', documentation: 'docs', configuration: 'config', information: 'info', application: 'app',
  applications: 'apps', environment: 'env', environments: 'envs', identifier: 'id', parameters: 'params', authentication: 'auth',
  organization: 'org', specification: 'spec', message: 'msg', database: 'db', number: 'count', directory: 'folder', image: 'picture',
} // biome-ignore format: a table

/** Synonyms that people use for the verbs of definitions. */
const otherVerbs: { readonly [verb: string]: string } = {
  get: 'show', gets: 'show', retrieve: 'fetch', retrieves: 'fetch', fetch: 'load', fetches: 'load', list: 'show', lists: 'show',
  create: 'make', creates: 'make', add: 'insert', adds: 'insert', delete: 'erase', deletes: 'erase', remove: 'drop', removes: 'drop',
  update: 'modify', updates: 'modify', set: 'change', sets: 'change', search: 'find', searches: 'find', find: 'locate', finds: 'locate',
  send: 'deliver', sends: 'deliver', run: 'execute', runs: 'execute', execute: 'run', executes: 'run', return: 'give', returns: 'give',
  start: 'begin', starts: 'begin', stop: 'halt', stops: 'halt', upload: 'put', download: 'save', edit: 'change', read: 'view', write: 'put',
} // biome-ignore format: a table
