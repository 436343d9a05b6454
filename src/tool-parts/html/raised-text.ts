import { lineOf } from './plain-line.ts'
import type { Element } from './tree.ts'

/** How raised or lowered text is written on the line. */
export interface Raised {
  readonly start: string
  readonly end: string
  /** What must not follow without a space, because it would be read as part of it. */
  readonly apart: 'words' | 'digits' | 'nothing'
}

const asIs: Raised = { start: '', end: '', apart: 'nothing' }
const maxElements = 20
/** Longer texts are not exponents, and need no sign. */
const maxLength = 20

/**
 * Writes `10<sup>24</sup>` as `10^24`, `H<sub>2</sub>O` as `H2O`, `x<sub>i</sub>` as `x_i`, and the mark of a footnote as
 * `[3]`, so that it is not read as part of the number before it. `before` is the text of the line so far.
 */
export function decideRaised(element: Element, before: string): Raised {
  const part = decideFormula(element)
  if (part) return part
  if (element.end - element.index > maxElements) return asIs
  const text = lineOf(element, maxLength * 2)
  if (text === '' || text.length > maxLength) return asIs
  return element.tag === 'sub' ? decideLowered(text, before) : decideSuper(element, text, before)
}

/** Whether the place of an element above or below the line has a meaning. */
export function isRaised({ tag, parent }: Element): boolean {
  return tag === 'sup' || tag === 'sub' || formulas.has(parent?.tag ?? '')
}

/** In MathML: what is before each part. */
const formulas = new Map<string, readonly string[]>([
  ['msup', ['', '^']],
  ['msub', ['', '_']],
  ['msubsup', ['', '_', '^']],
  ['mfrac', ['', '/']],
])

function decideFormula(element: Element): Raised | undefined {
  const signs = formulas.get(element.parent?.tag ?? '')
  if (!signs) return undefined
  const parts = element.parent!.children.filter((child) => typeof child !== 'string').slice(0, signs.length)
  const sign = signs[parts.indexOf(element)] ?? ''
  const isComplex = element.children.length > 1
  return { start: isComplex ? `${sign}(` : sign, end: isComplex ? ')' : '', apart: 'nothing' }
}

function decideSuper(element: Element, text: string, before: string): Raised {
  if (leadsToNote(element)) return /^[[(]/.test(text) ? asIs : note
  if (!/[\p{L}\p{N}]/u.test(text)) return asIs
  if (/(?:^|\s)$/.test(before)) return { ...asIs, apart: 'words' }
  if (/\d$/.test(before) ? ordinals.test(text) : titles.test(text)) return asIs
  if (/[$€£¥]\s?\d[\d,.]*$/.test(before) && /^\d\d$/.test(text)) return { start: '.', end: '', apart: 'nothing' }
  const isMark = /^\d{1,3}(?:\s?[,–-]\s?\d{1,3}){0,5}$/.test(text)
  if (isMark && (/[.,;:!?"'”’»…]$/.test(before) || /(?<!\p{L})\p{L}?\p{Ll}{4,}$/u.test(before))) return note
  return toSigned('^', text)
}

function decideLowered(text: string, before: string): Raised {
  if (/(?:^|\s)$/.test(before)) return { ...asIs, apart: 'digits' }
  if (/^\d+$/.test(text) && /[\p{L})\]]$/u.test(before)) return { ...asIs, apart: 'digits' }
  return /[\p{L}\p{N}]/u.test(text) ? toSigned('_', text) : asIs
}

const note: Raised = { start: '[', end: ']', apart: 'nothing' }

/** 1st, 2nd, 1er, 2e, 1º. */
const ordinals = /^(?:st|nd|rd|th|er|ers|re|res|ère|e|es|ème|èmes|nde?|o|a|os|as|te|de|ste|mo|ma)\.?$/i
/** Mme, Mlle, Mgr, No, and trade marks. */
const titles = /^(?:me|mes|lle|lles|gr|gnr|o|os|tm|sm)\.?$/i

function toSigned(sign: string, text: string): Raised {
  const isSimple = /^[+−–-]?[\p{L}\p{N}.,]+[′'*+−–-]?$/u.test(text)
  return isSimple ? { start: sign, end: '', apart: 'words' } : { start: `${sign}(`, end: ')', apart: 'nothing' }
}

/** Whether it is, or is in, a link to a place on the page, or is marked as a footnote. */
function leadsToNote(element: Element): boolean {
  if (element.tag !== 'sup') return false
  const inside = element.children.flatMap((child) => (typeof child === 'string' ? [] : [child]))
  const near = [element, ...(element.parent ? [element.parent] : []), ...inside]
  return near.some(
    ({ tag, attributes: { href = '', class: classes = '', role = '', rel = '' } }) =>
      (tag === 'a' && (href.startsWith('#') || noteName.test(href))) ||
      (tag !== 'p' && tag !== 'div' && noteMark.test(`${classes} ${role} ${rel}`)),
  )
}

const noteName = /#[^#]*(?:note|ref|cite|fn)/i
const noteMark = /foot-?note|end-?note|note-?ref|(?:^|\s)(?:reference|fn|cite)(?:\s|$)/i
