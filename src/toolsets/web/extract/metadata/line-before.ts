import { lineOf } from '../../../../tool-parts/html/plain-line.ts'
import type { Element } from '../../../../tool-parts/html/tree.ts'

/** Long lists have no labels; searching them for each of their elements would take long. */
const maxChildren = 50

/** The text right before an element in its parent, which may be its label unless it has a date of its own. */
export function lineBefore(element: Element): string {
  const children = element.parent?.children ?? []
  const label = children.length > maxChildren ? undefined : children[children.indexOf(element) - 1]
  if (label === undefined) return ''
  const line = typeof label === 'string' ? label.slice(-100) : lineOf(label, 100)
  return /\d{4}/.test(line) ? '' : line
}

const maxLevels = 3

/** The text right before an element, also outside of the elements that it begins. */
export function labelBefore(element: Element): string {
  let place = element
  for (let level = 0; level < maxLevels; level++) {
    const line = lineBefore(place)
    if (line.trim() !== '') return line
    const { parent } = place
    const first = parent?.children
      .slice(0, maxChildren)
      .find((child) => typeof child !== 'string' || child.trim() !== '')
    if (!parent || first !== place) return ''
    place = parent
  }
  return ''
}
