import { parseHtml } from './parse-html.ts'
import { type Page, textOf } from './tree.ts'

/** The longest text of an article that the page gives to machines as JSON-LD, without markup; '' if there is none. */
export function readJsonLdBody(page: Page): string {
  let body = ''
  for (const element of page.elements) {
    if (element.tag !== 'script') continue
    const json = textOf(element)
    if (!json.includes('articleBody') && !json.includes('reviewBody')) continue
    for (const text of findBodies(json)) if (text.length > body.length) body = text
  }
  return /<[a-z/]/i.test(body) ? textOf(parseHtml(body.replace(/<(?:br|\/p|\/div|\/h\d|\/li)\b/gi, '\n$&')).root) : body
}

/** Many are not valid JSON; the text in it is all that we want. */
function findBodies(json: string): string[] {
  return [...json.matchAll(/"(?:articleBody|reviewBody)"\s*:\s*("(?:[^"\\]|\\[\s\S])*")/g)].flatMap(([, quoted]) => {
    try {
      return [String(JSON.parse(quoted!.replace(/[\n\r\t]/g, (character) => escapes[character]!)))]
    } catch {
      return []
    }
  })
}

const escapes: Record<string, string> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' }
