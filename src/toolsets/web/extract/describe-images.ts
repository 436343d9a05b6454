import { isHidden } from '../../../tool-parts/html/is-hidden.ts'
import { closest, type Page } from '../../../tool-parts/html/tree.ts'

/**
 * What a page without any text says instead: its description, and the alternative texts of its images, each once.
 * '' if it says nothing.
 */
export function describeImages(page: Page): string {
  const said = new Set<string>()
  for (const element of page.elements) {
    const { tag, attributes } = element
    const { content, alt } = attributes
    if (tag === 'meta' && isDescription(attributes.property ?? attributes.name)) add(content)
    if (tag === 'img' && alt !== undefined && !closest(element, isHidden)) add(alt)
    if (said.size >= maxTexts) break
  }
  return [...said].join('\n\n')

  function add(text: string | undefined) {
    const line = (text ?? '').slice(0, maxLength).replace(/\s+/g, ' ').trim()
    // A site's head often has the same description twice, cut at different lengths.
    if (line !== '' && ![...said].some((before) => before.startsWith(line))) said.add(line)
  }
}

function isDescription(name: string | undefined): boolean {
  return name !== undefined && /^(?:og:)?description$/i.test(name)
}

const maxTexts = 300
const maxLength = 2000
