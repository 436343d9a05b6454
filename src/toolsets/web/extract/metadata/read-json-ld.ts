import type { JsonObject, JsonValue } from '../../../../contract/json.ts'

const maxBytes = 1_000_000

const maxScripts = 40

const maxNodes = 20_000

const maxTyped = 500

interface LinkedAuthor {
  readonly name: string
  readonly isOrganization: boolean
  /** Declared as a person. */
  readonly isPerson: boolean
}

/** The JSON-LD data about the main entity of a page. */
export interface LinkedPage {
  readonly title: string | null
  readonly authors: readonly LinkedAuthor[]
  readonly published: string | null
  /** Of the page around the main entity. Many systems state when its record was created, also of pages that are not dated. */
  readonly pagePublished: string | null
  readonly lang: string | null
  /** Names of the publishing organizations. */
  readonly publishers: readonly string[]
}

export function readJsonLd(scripts: readonly string[]): LinkedPage {
  const data = parseJsonLd(scripts)
  const ranked = data.nodes.map((node) => ({ node, rank: rankOf(node) })).sort((a, b) => b.rank - a.rank)
  const nodes = ranked.filter(({ rank }) => rank > 0).map(({ node }) => node)
  const articles = ranked.filter(({ rank }) => rank > 1).map(({ node }) => node)
  const first = (among: readonly JsonObject[], ...keys: string[]) => {
    for (const node of among) for (const key of keys) if (textOf(node[key])) return textOf(node[key])
    return null
  }
  const authors = articles.map((node) => toAuthors(node.author ?? node.creator, data)).find(({ length }) => length > 0)
  return {
    title: articles.map((node) => textOf(node.headline) ?? textOf(node.name)).find((title) => title !== null) ?? null,
    authors: authors ?? toBrokenAuthors(data.broken),
    published: first(articles, ...dates) ?? findBroken(data.broken, 'datePublished'),
    pagePublished: first(nodes, ...dates),
    lang: first(nodes, 'inLanguage'),
    publishers: nodes.flatMap((node) => toAuthors(node.publisher, data).map(({ name }) => name)),
  }
}

const dates = ['datePublished', 'dateCreated', 'uploadDate']

const maxAuthors = 20
const maxLength = 100

function toAuthors(value: JsonValue | undefined, { named }: LinkedData): LinkedAuthor[] {
  const values = Array.isArray(value) ? value.slice(0, maxAuthors) : [value]
  return values.flatMap((entry): LinkedAuthor[] => {
    if (typeof entry === 'string') return [{ name: entry.slice(0, maxLength), isOrganization: false, isPerson: false }]
    if (typeof entry !== 'object' || entry === null || Array.isArray(entry)) return []
    const id = entry['@id']
    const person = entry.name === undefined && typeof id === 'string' ? (named.get(id) ?? entry) : entry
    const names = Array.isArray(person.name) ? person.name.slice(0, maxAuthors) : [person.name]
    const types = typesOf(person)
    const isPerson = types.includes('Person')
    const isOrganization = !isPerson && types.some((type) => /organization|corporation/i.test(type))
    return names.flatMap((name) =>
      typeof name === 'string' ? [{ name: name.slice(0, maxLength), isOrganization, isPerson }] : [],
    )
  })
}

/** 3: a text with an author; 2: another work; 1: the surrounding page; 0: anything else. */
function rankOf(node: JsonObject): number {
  return Math.max(
    0,
    ...typesOf(node).map((type) => {
      if (/(?:Article|Posting|Report|NewsArticle|Recipe|Review|Thesis|Chapter)$/.test(type)) return 3
      if (/^(?:CreativeWork|VideoObject|PodcastEpisode|RadioEpisode|Question|Book|HowTo|Course)$/.test(type)) return 2
      return /Page$/.test(type) ? 1 : 0
    }),
  )
}

function typesOf(node: JsonObject): string[] {
  const type = node['@type']
  return (Array.isArray(type) ? type.slice(0, 10) : [type]).filter((name) => typeof name === 'string')
}

function textOf(value: JsonValue | undefined): string | null {
  const text = Array.isArray(value) ? value[0] : value
  return typeof text === 'string' && text.trim() !== '' ? text : null
}

function findBroken(text: string, key: string): string | null {
  return new RegExp(`"${key}"\\s{0,20}:\\s{0,20}"([^"\\\\]{1,200})"`).exec(text)?.[1] ?? null
}

function toBrokenAuthors(text: string): LinkedAuthor[] {
  const author = /"author"\s{0,20}:\s{0,20}\[?\s{0,20}\{([^{}]{1,500})/.exec(text)?.[1] ?? ''
  const name = findBroken(author, 'name')
  if (name === null) return []
  return [{ name, isOrganization: /"Organization"/.test(author), isPerson: /"Person"/.test(author) }]
}

/** What visitors wrote, and the works in a list, are not the page. */
const ofOthers = new Set(
  'review reviews comment comments suggestedAnswer itemListElement hasPart blogPost blogPosts mentions'.split(' '),
)

interface LinkedData {
  /** Every object with a type, outermost first. */
  readonly nodes: readonly JsonObject[]
  /** Objects by `@id`. */
  readonly named: ReadonlyMap<string, JsonObject>
  /** Sources that are not valid JSON even after repair. */
  readonly broken: string
}

/** The objects in a page's JSON-LD, up to a limit. The data may be huge, deep, broken or of any shape. */
function parseJsonLd(scripts: readonly string[]): LinkedData {
  const nodes: JsonObject[] = []
  const named = new Map<string, JsonObject>()
  const queue: JsonValue[] = []
  let broken = ''
  let bytes = 0
  for (const script of scripts.slice(0, maxScripts)) {
    bytes += script.length
    if (bytes > maxBytes) break
    const value = parse(script)
    if (value === undefined) broken += script
    else queue.push(value)
  }
  for (let at = 0; at < queue.length && at < maxNodes; at++) {
    const value = queue[at]!
    if (typeof value !== 'object' || value === null) continue
    if (!Array.isArray(value)) {
      const id = value['@id']
      if ('@type' in value && nodes.length < maxTyped) nodes.push(value)
      if (typeof id === 'string' && (!named.has(id) || 'name' in value)) named.set(id, value)
    }
    for (const [key, part] of Object.entries(value)) {
      if (queue.length >= maxNodes) break
      if (ofOthers.has(key) || typeof part !== 'object' || part === null) continue
      queue.push(part)
    }
  }
  return { nodes, named, broken }
}

/** Repairs common mistakes: surrounding comments, line breaks in strings, trailing commas. */
function parse(script: string): JsonValue | undefined {
  const text = script.trim()
  for (const mend of [(same: string) => same, mendLines, mendCommas]) {
    try {
      return JSON.parse(mend(text)) as JsonValue
    } catch {
      // Try the next repair.
    }
  }
  return undefined
}

function mendLines(text: string): string {
  return text
    .replace(/^(?:<!--|\/\/\s?<!\[CDATA\[|\/\*\s?<!\[CDATA\[\s?\*\/|<!\[CDATA\[)/, '')
    .replace(/(?:-->|\/\/\s?\]\]>|\/\*\s?\]\]>\s?\*\/|\]\]>|;)$/, '')
    .replace(/[\x00-\x1f]/g, ' ')
}

function mendCommas(text: string): string {
  return mendLines(text).replace(/,(?= {0,200}[\]}])/g, '')
}
