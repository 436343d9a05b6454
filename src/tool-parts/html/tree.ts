/**
 * A parsed page. `elements` lists every element in document order; the descendants of an element are those from
 * `index + 1` to `end`. Loops over it replace recursion, because pages may nest deeply.
 */
export interface Page {
  /** Always an `html` element. */
  readonly root: Element
  readonly elements: readonly Element[]
  /** The page had more than `maxElements` elements; the rest was dropped. */
  readonly truncated: boolean
}

export interface Element {
  /** In lower case. */
  readonly tag: string
  readonly attributes: Attributes
  readonly parent: Element | null
  /** Texts have their entities decoded and their white space preserved. Two texts are never adjacent. */
  readonly children: readonly (Element | string)[]
  /** Index in `elements`. */
  readonly index: number
  /** Index of the first element after it that is not a descendant. */
  readonly end: number
}

/** The attributes in use. Storing the others would take most of the memory of a page. */
export const attributeNames = [
  'alt',
  'aria-controls',
  'background',
  'bgcolor',
  'class',
  'color',
  'colspan',
  'content',
  'data-preloaded',
  'data-src',
  'datetime',
  'hidden',
  'href',
  'http-equiv',
  'id',
  'itemprop',
  'lang',
  'name',
  'open',
  'property',
  'pubdate',
  'rel',
  'reversed',
  'role',
  'rowspan',
  'shadowrootmode',
  'src',
  'start',
  'style',
  'title',
  'type',
  'value',
  'xml:lang',
] as const

/** Entities are decoded. An attribute without a value is ''. */
export type Attributes = Readonly<Partial<Record<(typeof attributeNames)[number], string>>>

/** All text inside an element, verbatim. Styles, and scripts other than JSON, have none. */
export function textOf(element: Element): string {
  let text = ''
  const stack: (Element | string)[] = [element]
  while (stack.length > 0) {
    const node = stack.pop()!
    if (typeof node === 'string') text += node
    else for (let at = node.children.length - 1; at >= 0; at--) stack.push(node.children[at]!)
  }
  return text
}

export function isInside(element: Element, ancestor: Element): boolean {
  return element.index > ancestor.index && element.index < ancestor.end
}

/** The element itself or its nearest ancestor that matches. */
export function closest(element: Element, fits: (element: Element) => boolean): Element | undefined {
  for (let at: Element | null = element; at; at = at.parent) if (fits(at)) return at
  return undefined
}
