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
  let text = ''
  let nodes = 0
  const stack: (Element | string)[] = [element]
  while (stack.length > 0 && text.length < maxCharacters * 2 && nodes++ < maxNodes) {
    const node = stack.pop()!
    if (typeof node === 'string') text += node.slice(0, maxCharacters * 4)
    else if (node.tag === 'br') text += ' '
    else if (!unread.has(node.tag)) pushChildren(stack, node)
  }
  return toPlainLine(text, maxCharacters)
}

const unread = new Set(['script', 'style', 'noscript', 'template', 'svg', 'select', 'iframe'])

function pushChildren(stack: (Element | string)[], { children, tag }: Element) {
  const isBlock = !inline.has(tag)
  if (isBlock) stack.push(' ')
  for (let at = Math.min(children.length, maxNodes) - 1; at >= 0; at--) stack.push(children[at]!)
  if (isBlock) stack.push(' ')
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
