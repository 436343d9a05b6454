import type { Element, Page } from '../tree.ts'
import { marksOf, toMarkTest } from './marks-of.ts'

export interface Asides {
  /** Is it in a footer, a comment, a menu, a list of other articles? */
  isAside(element: Element): boolean
  /** Is it in what others wrote, or in what others are written about? */
  isOfOthers(element: Element): boolean
}

/** Tells what is beside the text of a page. A frame called a sidebar is none if it has the main heading in it. */
export function findAsides({ elements }: Page, main: Element | undefined): Asides {
  const asides: Element[] = []
  const others: Element[] = []
  const hasAsideMark = toMarkTest(asideMark)
  const hasOtherMark = toMarkTest(otherMark)
  let [asideEnd, otherEnd, articleEnd] = [0, 0, 0]
  for (const element of elements) {
    const { tag, index, end } = element
    if (tag === 'article') articleEnd = Math.max(articleEnd, end)
    if (rootTags.has(tag) || (main && main.index >= index && main.index < end)) continue
    const marks = marksOf(element)
    if (index >= asideEnd && (isAsideTag(tag, index < articleEnd) || hasAsideMark(marks))) {
      asides.push(element)
      asideEnd = end
    }
    if (index >= otherEnd && hasOtherMark(marks)) {
      others.push(element)
      otherEnd = end
    }
  }
  return { isAside: toCheck(asides), isOfOthers: toCheck(others) }
}

const rootTags = new Set(['html', 'head', 'body', 'main', 'article', 'meta', 'link', 'time'])

/** The footer of an article has its date and its author. */
function isAsideTag(tag: string, isInArticle: boolean): boolean {
  return tag === 'aside' || tag === 'nav' || (tag === 'footer' && !isInArticle)
}

const asideMark =
  /(?:^|[\s_-])(?:footer|side-?bar|comments?|kommentare?|commentlist|related|recommend\w*|teasers?|widget\w*|popular|trending|newsletter|nav(?:igation)?|menu|breadcrumbs?|cookie\w*|more-(?:news|articles|stories)|mehr-zum-thema|recent-?posts|promo|advert\w*|carousel|share|sharing|social)(?:$|[\s_-])/i
const otherMark = /comment|kommentar|related|teaser|popular/i

/** The elements do not overlap and are in document order. */
function toCheck(areas: readonly Element[]): (element: Element) => boolean {
  return ({ index }) => {
    let [low, high] = [0, areas.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if (areas[middle]!.end <= index) low = middle + 1
      else high = middle
    }
    return low < areas.length && areas[low]!.index <= index
  }
}
