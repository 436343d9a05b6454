import type { Markup } from '../../../tool-parts/html/rich-writer.ts'
import type { Page } from '../../../tool-parts/html/tree.ts'
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
  if (textIn(seen) >= enough) return { ...seen, withHidden: false }
  if (page.elements.some(({ tag }) => tag === 'noscript')) {
    const plain = measurePage(page, { ...options, scripts: false })
    if (proseIn(plain) > minText && proseIn(plain) >= muchMore * proseIn(seen)) return { ...plain, withHidden: false }
  }
  const all = measurePage(page, { ...options, hidden: true })
  if (proseIn(all) > minText && proseIn(all) >= muchMore * proseIn(seen)) return { ...all, withHidden: true }
  return { ...seen, withHidden: false }
}

/** In characters. A page that shows this much is not a stub that scripts fill. */
const enough = 4000
/** Longer than a request to enable JavaScript. */
const minText = 200
const muchMore = 4

function textIn({ sums }: MeasuredPage): number {
  return sums.size[0]!
}

function proseIn({ sums }: MeasuredPage): number {
  return sums.prose[0]!
}
