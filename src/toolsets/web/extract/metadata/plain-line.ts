import { stripHidden } from '../../../../contract/text/hidden-characters.ts'
import { shorten } from '../../../../contract/text/shorten.ts'
import type { Element } from '../tree.ts'

/** Text of a page on one line, cut to a length, without characters that cannot be seen or that turn text around. */
export function toPlainLine(text: string, most = 300): string {
  // Whoever hides a name behind a megabyte of spaces does not have to be read to the end.
  const start = text.slice(0, most * 10)
  const line = stripHidden(start, 'line').replace(/\s+/g, ' ').trim()
  if (line.length <= most) return line
  return `${shorten(line, most - 1, { ellipsis: '' }).trimEnd()}…`
}

const maxNodes = 200

/** The first characters of what is in an element, on one line. However large it is, only so much of it is looked at. */
export function lineOf(element: Element, most = 300): string {
  let text = ''
  let nodes = 0
  const stack: (Element | string)[] = [element]
  while (stack.length > 0 && text.length < most * 2 && nodes++ < maxNodes) {
    const node = stack.pop()!
    if (typeof node === 'string') text += node.slice(0, most * 4)
    else if (node.tag === 'br') text += ' '
    else if (!unread.has(node.tag)) pushChildren(stack, node)
  }
  return toPlainLine(text, most)
}

const unread = new Set(['script', 'style', 'noscript', 'template', 'svg', 'select', 'iframe'])

function pushChildren(stack: (Element | string)[], { children, tag }: Element) {
  const isBlock = !inline.has(tag)
  if (isBlock) stack.push(' ')
  for (let at = Math.min(children.length, maxNodes) - 1; at >= 0; at--) stack.push(children[at]!)
  if (isBlock) stack.push(' ')
}

const inline = new Set('a abbr b bdi cite code em font i mark q s small span strong sub sup time u wbr'.split(' '))

/** Words alone, in lower case: what two writings of one text have in common. */
export function fold(text: string): string {
  return (
    text
      .normalize('NFKC')
      .toLowerCase()
      .match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
  ).join(' ')
}
