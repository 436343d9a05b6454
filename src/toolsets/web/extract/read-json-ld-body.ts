import { parseHtml } from '../../../tool-parts/html/parse-html.ts'
import { renderWholePage } from '../../../tool-parts/html/render-whole-page.ts'
import { type Page, textOf } from '../../../tool-parts/html/tree.ts'

/** The longest article body in the page's JSON-LD, without markup; '' if there is none. */
export function readJsonLdBody(page: Page): string {
  let body = ''
  for (const element of page.elements) {
    if (element.tag !== 'script') continue
    for (const text of findBodies(textOf(element))) if (text.length > body.length) body = text
  }
  // Some bodies are encoded twice.
  for (let time = 0; time < 2 && /<[a-z/]|&[a-z#]/i.test(body); time++)
    body = renderWholePage(parseHtml(breakLines(body)))
  return body
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

/** Keeps the lines of a text that mixes plain text and markup. */
function breakLines(text: string): string {
  return text.replace(/\n/g, '<br>')
}
