import { Tokenizer, type TokenizerCallbacks } from 'htmlparser2'
import type { Page } from './tree.ts'
import { TreeBuilder } from './tree-builder.ts'

/**
 * Parses a page, however broken. Time and memory are bounded by its length: at most `mostElements` elements, nested no
 * deeper than `mostLevels` (see `tree-builder.ts`); nothing recurses.
 */
export function parseHtml(html: string): Page {
  const builder = new TreeBuilder()
  let tag = ''
  let attributes: Record<string, string> | undefined
  let name = ''
  let value = ''

  const callbacks: TokenizerCallbacks = {
    onopentagname(start, end) {
      tag = html.slice(start, end).toLowerCase()
      attributes = undefined
    },
    onattribname(start, end) {
      name = html.slice(start, end).toLowerCase()
      value = ''
    },
    onattribdata(start, end) {
      value += html.slice(start, end)
    },
    onattribentity(codePoint) {
      value += String.fromCodePoint(codePoint)
    },
    onattribend() {
      // Handlers are code; of an attribute that comes twice the first counts.
      if (name.startsWith('on')) return
      attributes ??= Object.create(null) as Record<string, string>
      attributes[name] ??= value
    },
    onopentagend: open,
    onselfclosingtag: open,
    onclosetag(start, end) {
      builder.close(html.slice(start, end).toLowerCase())
    },
    ontext(start, end) {
      builder.say(html.slice(start, end))
    },
    ontextentity(codePoint) {
      builder.say(String.fromCodePoint(codePoint))
    },
    oncdata() {},
    oncomment() {},
    ondeclaration() {},
    onprocessinginstruction() {},
    onend() {},
  }
  const tokenizer = new Tokenizer({ decodeEntities: true }, callbacks)

  function open() {
    if (!builder.open(tag, attributes)) tokenizer.pause()
  }

  tokenizer.write(html)
  tokenizer.end()
  return builder.finish()
}
