import { isHidden, isShownByStyles } from '../../../tool-parts/html/is-hidden.ts'
import type { Markup } from '../../../tool-parts/html/rich-writer.ts'
import type { Element, Page } from '../../../tool-parts/html/tree.ts'
import { type MeasuredPage, measurePage } from './measure-page.ts'

export interface ViewedPage extends MeasuredPage {
  /** The page shows next to nothing, so text that it hides until its scripts have run was read as well. */
  readonly withHidden: boolean
}

/**
 * Measures what people see of a page. A page that is empty without its scripts is seen as in a browser without scripts or,
 * if that shows nothing either, with what it hides.
 */
export function viewPage(page: Page, options: { url: string; markup?: Markup | undefined }): ViewedPage {
  const seen = measurePage(page, options)
  const prose = proseIn(seen)
  if (prose >= enough) return { ...seen, withHidden: false }
  const least = Math.max(minText, muchMore * prose)
  if (textInside(page, ({ tag }) => tag === 'noscript') >= least) {
    const plain = measurePage(page, { ...options, scripts: false })
    if (proseIn(plain) >= least) return { ...plain, withHidden: false }
  }
  if (textInside(page, (element) => isShownByStyles(element) && isHidden(element)) >= least) {
    const all = measurePage(page, { ...options, hidden: true })
    if (proseIn(all) >= least) return { ...all, withHidden: true }
  }
  return { ...seen, withHidden: false }
}

/** In characters. A page that shows this much prose is not a stub that scripts fill. */
const enough = 4000
/** Longer than a request to enable JavaScript. */
const minText = 200
const muchMore = 4

function proseIn({ sums }: MeasuredPage): number {
  return sums.prose[0]!
}

/** The characters inside of some elements. */
function textInside({ elements }: Page, fits: (element: Element) => boolean): number {
  let size = 0
  for (let at = 0; at < elements.length; ) {
    const element = elements[at]!
    if (!fits(element)) {
      at++
      continue
    }
    for (; at < element.end; at++)
      for (const child of elements[at]!.children) if (typeof child === 'string') size += child.length
  }
  return size
}
