import type { Element, Page } from './tree.ts'

/**
 * Elements that a page hides in its markup and shows to people later: the panels of tabs and accordions, which a control
 * of the page names, and the parts that React streams (`S:1` replaces the placeholder `B:1`). Text that nothing names stays
 * hidden.
 */
export function findRevealed({ elements }: Page): ReadonlySet<Element> {
  const named = new Set<string>()
  for (const { tag, attributes } of elements) {
    const { id, href, role, 'aria-controls': controls } = attributes
    if (controls !== undefined) for (const name of controls.split(/\s+/, maxPanels)) named.add(name)
    else if (tag === 'template' && id?.startsWith('B:')) named.add(`S:${id.slice(2)}`)
    else if (role === 'tab' && href?.startsWith('#')) named.add(href.slice(1))
  }
  named.delete('')
  const revealed = new Set<Element>()
  if (named.size === 0) return revealed
  for (const element of elements) if (named.has(element.attributes.id ?? '')) revealed.add(element)
  return revealed
}

/** Panels of one control. */
const maxPanels = 10
