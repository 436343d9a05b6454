import { Tokenizer, type TokenizerCallbacks } from 'htmlparser2'
import { createNames } from './create-names.ts'
import { type Attributes, attributeNames, type Page } from './tree.ts'
import { TreeBuilder } from './tree-builder.ts'

/**
 * Parses a page, even a broken one. Time and memory are linear in its length: at most `maxElements` elements, nested up
 * to `maxLevels` deep (see `tree-builder.ts`), without recursion.
 */
export function parseHtml(html: string): Page {
  const builder = new TreeBuilder()
  const readName = createNames(html)
  let tag = ''
  let attributes: Record<string, string> | undefined
  let name: string | undefined
  let value = ''

  const callbacks: TokenizerCallbacks = {
    onopentagname(start, end) {
      tag = readName(start, end)
      attributes = undefined
    },
    onattribname(start, end) {
      name = readName(start, end)
      if (!keptNames.has(name) || (name === 'href' && tag !== 'a')) name = undefined
      value = ''
    },
    onattribdata(start, end) {
      if (name !== undefined) value += html.slice(start, end)
    },
    onattribentity(codePoint) {
      if (name !== undefined) value += String.fromCodePoint(codePoint)
    },
    onattribend() {
      if (name === undefined) return
      attributes ??= {}
      // The first of duplicate attributes wins.
      attributes[name] ??= value
    },
    onopentagend: open,
    onselfclosingtag: open,
    onclosetag(start, end) {
      builder.close(readName(start, end))
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
    if (!builder.open(tag, attributes as Attributes | undefined)) tokenizer.pause()
  }

  tokenizer.write(html)
  tokenizer.end()
  return builder.finish()
}

const keptNames: ReadonlySet<string> = new Set(attributeNames)
