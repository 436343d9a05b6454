/**
 * A parsed page. `elements` has every element in document order, so that a loop over it, or over the stretch
 * `index + 1` to `end` of one element for all that is inside it, takes the place of recursion: pages nest as deep as they like.
 */
export interface Page {
  /** Always there and always `html`, whatever the page says. */
  readonly root: Element
  readonly elements: readonly Element[]
  /** The page had more elements than `maxElements`; the rest was left out. */
  readonly truncated: boolean
}

export interface Element {
  /** In lower case. */
  readonly tag: string
  readonly attributes: Attributes
  readonly parent: Element | null
  /** Text is as written, entities decoded, white space and all. Two texts never follow each other. */
  readonly children: readonly (Element | string)[]
  /** Its place in `elements`. */
  readonly index: number
  /** The place of the first element that comes after it and is not inside it. */
  readonly end: number
}

/** Those that somebody here reads: most of a page's attributes say nothing of its text, and would take most of its memory. */
export const attributeNames = [
  'background',
  'bgcolor',
  'class',
  'color',
  'content',
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
  'role',
  'style',
  'title',
  'type',
  'xml:lang',
] as const

/** Entities are decoded. An attribute without a value has ''. */
export type Attributes = Readonly<Partial<Record<(typeof attributeNames)[number], string>>>

/** All text inside an element, as written; scripts other than JSON-LD and styles have none. */
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

/** The nearest element around it, itself included, that fits. */
export function closest(element: Element, fits: (element: Element) => boolean): Element | undefined {
  for (let at: Element | null = element; at; at = at.parent) if (fits(at)) return at
  return undefined
}
