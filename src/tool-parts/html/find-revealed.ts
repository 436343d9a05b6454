import type { Element, Page } from './tree.ts'

/**
 * Elements that a page hides in its markup and shows to people later: the panels of tabs and accordions, by what names them
 * or by their own role or class, and the parts that React streams (`S:1` replaces the placeholder `B:1` or `P:1`). Text
 * that nothing names stays hidden.
 */
export function findRevealed({ elements }: Page): ReadonlySet<Element> {
  const named = new Set<string>()
  for (const { tag, attributes } of elements) {
    const { id, href, role, 'aria-controls': controls } = attributes
    if (controls !== undefined) for (const name of controls.split(/\s+/, maxPanels)) named.add(name)
    else if (tag === 'template' && id && /^[BP]:/.test(id)) named.add(`S:${id.slice(2)}`)
    else if (role === 'tab' && href?.startsWith('#')) named.add(href.slice(1))
  }
  named.delete('')
  const revealed = new Set<Element>()
  for (const element of elements) {
    const { id = '', role, class: classes } = element.attributes
    if (named.has(id) || role === 'tabpanel' || (classes !== undefined && isPanel(classes))) revealed.add(element)
  }
  return revealed
}

/** Panels of one control. */
const maxPanels = 10

/** Class names of panels in popular libraries. */
function isPanel(classes: string): boolean {
  return /(?:^|[\s_-])(?:tab-?(?:pane|panel|content)|accordion-?(?:content|body|panel)|faq-?(?:answer|content|body)|panel-collapse|expander-content|toggle-content)(?:$|[\s_-])/i.test(
    classes.slice(0, 300),
  )
}
