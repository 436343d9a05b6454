import { parseHtml } from '../../../tool-parts/html/parse-html.ts'
import { renderPage } from '../../../tool-parts/html/render-page.ts'
import { type Page, textOf } from '../../../tool-parts/html/tree.ts'

/**
 * The text in the data that scripts would render: `articleBody` of JSON-LD and, if asked for, `__NEXT_DATA__` and other JSON,
 * and the posts that Discourse preloads. For pages that have no text in their markup; '' if there is none.
 */
export function readEmbedded(page: Page, { withData = true }: { withData?: boolean } = {}): string {
  const body = readJsonLdBody(page)
  const data = withData ? readData(page) : ''
  return data.length > muchMore * body.length ? data : body
}

/** JSON-LD says what is the text; other data must have more to be preferred. */
const muchMore = 2
const maxData = 5_000_000
const maxValues = 200_000
const maxTexts = 2000
const maxLevels = 40

/** The longest article body in the page's JSON-LD, without markup; '' if there is none. */
export function readJsonLdBody(page: Page): string {
  let body = ''
  for (const element of page.elements) {
    if (element.tag !== 'script') continue
    for (const text of findBodies(textOf(element))) if (text.length > body.length) body = text
  }
  return toLines(toPlain(body))
}

interface Found {
  /** The keys that lead to it, without the positions in lists. */
  readonly path: readonly string[]
  readonly text: string
}

/** The longest prose of all data, with its neighbours: the paragraphs of an article, the posts of a thread. */
function readData(page: Page): string {
  const found: Found[] = []
  for (const { tag, attributes, children } of page.elements) {
    if (tag === 'script' && isJson(attributes.type)) collect(children.join(''), found)
    const preloaded = attributes['data-preloaded']
    if (preloaded !== undefined) collect(preloaded, found)
  }
  const sizes = new Map<string, number>()
  for (const { path, text } of found) sizes.set(toGroup(path), (sizes.get(toGroup(path)) ?? 0) + text.length)
  const [largest] = [...sizes].sort(([, a], [, b]) => b - a)
  if (!largest) return ''
  const texts = found.filter(({ path }) => toGroup(path) === largest[0]).map(({ text }) => toPlain(text))
  return toLines([...new Set(texts)].join('\n'))
}

function isJson(type: string | undefined): boolean {
  return type !== undefined && /json/i.test(type) && !/ld\+json/i.test(type)
}

/** Siblings of one object are one group. */
function toGroup(path: readonly string[]): string {
  return path.slice(0, -1).join(' ')
}

function collect(json: string, found: Found[]) {
  const first = parse(json)
  if (first === undefined) return
  const stack: { value: unknown; path: readonly string[] }[] = [{ value: first, path: [] }]
  for (let count = 0; stack.length > 0 && count < maxValues && found.length < maxTexts; count++) {
    const { value, path } = stack.pop()!
    if (typeof value === 'string') {
      const inner = /^\s*[[{]/.test(value) ? parse(value) : undefined
      if (inner !== undefined) stack.push({ value: inner, path })
      else if (isProse(value)) found.push({ path, text: value })
    } else if (typeof value === 'object' && value !== null && path.length < maxLevels) {
      const isList = Array.isArray(value)
      // In reverse, because the last one pushed is read first.
      for (const [key, child] of Object.entries(value).reverse())
        stack.push({ value: child, path: isList ? path : [...path, key] })
    }
  }
}

function parse(json: string): unknown {
  if (json.length > maxData) return undefined
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}

/** Sentences, and neither addresses nor code. */
function isProse(text: string): boolean {
  if (text.length < 80) return false
  const start = text.slice(0, 2000).replace(/<[^>]*>/g, ' ')
  const words = start.match(/\p{L}+/gu) ?? []
  const letters = words.reduce((sum, word) => sum + word.length, 0)
  return (
    words.length >= 12 &&
    letters / start.replace(/\s+/g, '').length > 0.8 &&
    !/[{};]\s*$|=>|function\s*\(|[\w+/=-]{80}/.test(start)
  )
}

/** Removes markup. Some texts are encoded twice. */
function toPlain(text: string): string {
  let plain = text
  for (let time = 0; time < 2 && /<[a-z/]|&[a-z#]/i.test(plain); time++)
    plain = renderPage(parseHtml(plain.replace(/\n/g, '<br>')))
  return plain
}

function toLines(text: string): string {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join('\n\n')
}

/** Extracts the string without parsing the JSON, which is often invalid. */
function findBodies(json: string): string[] {
  const bodies: string[] = []
  const name = /"articleBody"\s*:\s*"/g
  while (name.exec(json)) {
    const end = findEnd(json, name.lastIndex)
    const text = readString(json.slice(name.lastIndex, end))
    if (text !== undefined) bodies.push(text)
    name.lastIndex = end
  }
  return bodies
}

function findEnd(json: string, from: number): number {
  for (let at = from; at < json.length; at++) {
    if (json[at] === '\\') at++
    else if (json[at] === '"') return at
  }
  return json.length
}

/** Accepts raw line ends, which JSON forbids and pages often contain. */
function readString(inside: string): string | undefined {
  try {
    return JSON.parse(`"${inside.replace(/[\0-\x1f]/g, (character) => (character === '\n' ? '\\n' : ' '))}"`)
  } catch {
    return undefined
  }
}
