import { stripHidden } from '../../contract/text/hidden-characters.ts'
import { shorten } from '../../contract/text/shorten.ts'
import type { Element } from './tree.ts'

/** Text on one line, cut to a length, without invisible and bidirectional control characters. */
export function toPlainLine(text: string, maxCharacters = 300): string {
  // Bounds the work: a megabyte of spaces may come before the text.
  const start = text.slice(0, maxCharacters * 10)
  const line = stripHidden(start, 'line').replace(/\s+/g, ' ').trim()
  if (line.length <= maxCharacters) return line
  return `${shorten(line, maxCharacters - 1, { ellipsis: '' }).trimEnd()}…`
}

const maxNodes = 200

/** The first characters of an element's text on one line. Reads a bounded part of the element only. */
export function lineOf(element: Element, maxCharacters = 300): string {
  return toPlainLine(readText(element, { maxCharacters, border: ' ' }), maxCharacters)
}

/**
 * The texts of an element that a page shows apart from each other: blocks, and words of neighbouring elements without
 * space between them. `<b>Ada Lovelace</b><i>Editor</i>` has two parts, `By <b>Ada</b>` has one.
 */
export function partsOf(element: Element, maxCharacters = 300): string[] {
  const parts = readText(element, { maxCharacters, border: '\0' }).split('\0')
  return parts.map((part) => toPlainLine(part, maxCharacters)).filter((part) => part !== '')
}

interface Reading {
  readonly maxCharacters: number
  /** Written between blocks; if it is not a space, also between elements that touch each other. */
  readonly border: string
}

function readText(element: Element, { maxCharacters, border }: Reading): string {
  let text = ''
  let nodes = 0
  const stack: (Element | string)[] = [element]
  while (stack.length > 0 && text.length < maxCharacters * 2 && nodes++ < maxNodes) {
    const node = stack.pop()!
    if (typeof node === 'string') {
      if (border !== ' ' && /[\p{L}\p{N}]$/u.test(text) && /^[\p{L}\p{N}]/u.test(node)) text += border
      text += node.slice(0, maxCharacters * 4)
    } else if (node.tag === 'br') text += border
    else if (!unread.has(node.tag)) pushChildren(stack, node, border)
  }
  return text
}

const unread = new Set(['script', 'style', 'noscript', 'template', 'svg', 'select', 'iframe'])

function pushChildren(stack: (Element | string)[], { children, tag }: Element, border: string) {
  const isBlock = !inline.has(tag)
  if (isBlock) stack.push(border)
  for (let at = Math.min(children.length, maxNodes) - 1; at >= 0; at--) stack.push(children[at]!)
  if (isBlock) stack.push(border)
}

const inline = new Set('a abbr b bdi cite code em font i mark q s small span strong sub sup time u wbr'.split(' '))

/** Normalizes a text to its words in lower case, for comparisons. */
export function fold(text: string): string {
  return (
    text
      .normalize('NFKC')
      .toLowerCase()
      .match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
  ).join(' ')
}
