import type { Element } from './tree.ts'

/** Whether people cannot see this element on the rendered page. A defence against text that only a model would read. */
export function isHidden(element: Element): boolean {
  const { hidden, style, open, type, shadowrootmode } = element.attributes
  if (unseenTags.has(element.tag)) return shadowrootmode === undefined
  // Some pages hide themselves until their scripts have run.
  if (element.tag === 'body' || element.tag === 'html') return false
  if (hidden !== undefined) return true
  if (element.tag === 'dialog' && open === undefined) return true
  if (element.tag === 'input' && type === 'hidden') return true
  if (isNamedHidden(element.attributes.class)) return true
  if (style === undefined) return element.tag === 'font' && isUnreadable(element, new Map())
  const declared = readStyle(style)
  return isStyledAway(declared) || isUnreadable(element, declared)
}

/** Whether only attributes and styles hide it, which scripts may change. */
export function isShownByStyles({ tag }: Element): boolean {
  return !unseenTags.has(tag) && tag !== 'dialog' && tag !== 'input'
}

/** Elements without visible text. `noscript` is visible only without scripts. */
const unseenTags = new Set(
  'script style template noscript iframe frame object embed applet canvas audio video svg map noembed noframes head title datalist'.split(
    ' ',
  ),
)

/** Class names with which popular style sheets hide elements. `d-none d-md-block` hides on small screens only. */
function isNamedHidden(classes: string | undefined): boolean {
  if (classes === undefined) return false
  if (/(?:^|\s)(?:sr-only|visually-hidden|screen-reader-text|element-invisible)(?:\s|$)/.test(classes)) return true
  return /(?:^|\s)d-none(?:\s|$)/.test(classes) && !/(?:^|\s)d-(?:sm|md|lg|xl|xxl)-(?!none)/.test(classes)
}

function readStyle(style: string): Map<string, string> {
  const declared = new Map<string, string>()
  for (const declaration of style.toLowerCase().split(';')) {
    const colon = declaration.indexOf(':')
    if (colon > 0)
      declared.set(
        declaration.slice(0, colon).trim(),
        declaration
          .slice(colon + 1)
          .replace('!important', '')
          .trim(),
      )
  }
  return declared
}

function isStyledAway(declared: Map<string, string>): boolean {
  const is = (name: string, pattern: RegExp) => pattern.test(declared.get(name) ?? '')
  if (is('display', /^none/) || is('visibility', /^(?:hidden|collapse)/) || is('content-visibility', /^hidden/))
    return true
  if (is('font-size', zero) || is('text-indent', farAway)) return true
  // Scripts fade such an element in when it scrolls into view.
  const isAnimated = movements.some((name) => declared.has(name))
  if (is('opacity', zero) && !isAnimated) return true
  const isClipped = is('overflow', /^(?:hidden|clip)/) || is('overflow-y', /^(?:hidden|clip)/)
  if (isClipped && ['height', 'width', 'max-height', 'max-width'].some((name) => is(name, tiny))) return true
  if (!is('position', /^(?:absolute|fixed)/)) return false
  return (
    ['left', 'top', 'right', 'bottom'].some((name) => is(name, farAway)) ||
    is('clip', /rect\(\s*[01](?:px)?[\s,]+[01](?:px)?[\s,]+[01](?:px)?[\s,]+[01](?:px)?\s*\)/) ||
    is('clip-path', /inset\(\s*(?:50|100)%/)
  )
}

const movements = ['transform', '-webkit-transform', 'will-change', 'transition']
const zero = /^(?:0+|0*\.0\d*)(?:px|em|rem|pt|%|vh|vw)?$/
const tiny = /^[01](?:\.\d+)?(?:px)?$/
const farAway = /^-\d{3,}(?:px|em|rem|pt|%)?/

/** Whether the text has the colour of its background. The default background is white. */
function isUnreadable(element: Element, declared: Map<string, string>): boolean {
  const colour = toColour(declared.get('color') ?? (element.tag === 'font' ? element.attributes.color : undefined))
  if (colour === 'transparent') return true
  return colour !== undefined && colour === findBackground(element)
}

function findBackground(element: Element): string {
  const path: Element[] = []
  let found: string | undefined
  for (let at: Element | null = element; at && found === undefined; at = at.parent) {
    found = backgrounds.get(at) ?? readBackground(at)
    path.push(at)
  }
  for (const at of path) backgrounds.set(at, found ?? '#ffffff')
  return found ?? '#ffffff'
}

/** Cache of background colours, since elements nest deeply. */
const backgrounds = new WeakMap<Element, string>()

function readBackground({ attributes: { style, bgcolor, background } }: Element): string | undefined {
  const declared = style === undefined ? undefined : readStyle(style)
  if (background !== undefined || declared?.has('background-image')) return 'an image'
  const found = declared?.get('background-color') ?? declared?.get('background') ?? bgcolor
  if (found === undefined || found === 'none' || toColour(found) === 'transparent') return undefined
  return toColour(found) ?? 'unknown'
}

/** As `#rrggbb` or `transparent`; undefined if unknown. */
function toColour(text: string | undefined): string | undefined {
  const value = text?.trim().toLowerCase() ?? ''
  if (value === 'white') return '#ffffff'
  if (value === 'black') return '#000000'
  if (value === 'transparent') return value
  const short = /^#([0-9a-f])([0-9a-f])([0-9a-f])$/.exec(value)
  if (short) return `#${short[1]!.repeat(2)}${short[2]!.repeat(2)}${short[3]!.repeat(2)}`
  if (/^#[0-9a-f]{6}$/.test(value)) return value
  const rgb = /^rgba?\(\s*(\d+)[\s,]+(\d+)[\s,]+(\d+)(?:[\s,/]+([\d.]+%?))?\s*\)$/.exec(value)
  if (!rgb) return undefined
  if (rgb[4] !== undefined && Number.parseFloat(rgb[4]) === 0) return 'transparent'
  return `#${rgb
    .slice(1, 4)
    .map((part) => Math.min(255, Number(part)).toString(16).padStart(2, '0'))
    .join('')}`
}
