import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { createInputGate } from '../../src/agent/ask/check-question.ts'
import { toData, toDataMessage } from '../../src/agent/chat/to-messages.ts'
import { findUnreadable } from '../../src/agent/grounding/decide-grounded.ts'
import { foldText } from '../../src/agent/grounding/fold-text.ts'
import { showEvents } from '../../src/cli/chat/show-events.ts'
import { isRevision } from '../../src/cli/diff/read-contracts.ts'
import { toText } from '../../src/cli/terminal/terminal.ts'
import { cleanBlock } from '../../src/contract/content/content-block.ts'
import { checkPlace } from '../../src/contract/lint/contract-rules.ts'
import { escapeHtml } from '../../src/contract/text/escape-html.ts'
import { findHiddenStrings } from '../../src/contract/text/hidden-strings.ts'
import { escapeJson, printable, printableJson, printableLines } from '../../src/contract/text/printable.ts'
import { showText, showValue } from '../../src/contract/text/show-value.ts'
import { toShownPath } from '../../src/contract/text/shown-path.ts'
import { createQuote } from '../../src/host/connect/quote.ts'
import { toWords } from '../../src/host/signals/to-words.ts'
import { foldFileName } from '../../src/policy/fold-file-name.ts'
import { decideUrl } from '../../src/policy/network.ts'
import { guardEffects } from '../../src/policy/rules/guard-effects.ts'
import { toComment } from '../../src/projections/types/schema-type.ts'
import { reveal } from '../../src/runtime/approval/text/reveal.ts'
import { textOf } from '../../src/runtime/approval/text/wrap.ts'
import { toPlainLine } from '../../src/tool-parts/html/plain-line.ts'
import { toMarkdownEntry, toObjectEntry } from '../../src/tool-parts/repository/memory-entry.ts'
import { stripMarkup } from '../../src/toolsets/transcript/read/read-transcript.ts'
import { extractPage } from '../../src/toolsets/web/extract/extract-page.ts'
import { readFeed } from '../../src/toolsets/web/read-feed.ts'
import { toPageText } from '../../src/toolsets/workspace/to-page-text.ts'
import { toShownName } from '../../src/toolsets/workspace/to-shown-name.ts'
import { keepTerminal } from '../helpers/open-lock.ts'

/** Default-ignorable and bidirectional control characters of Unicode. */
const ignorable = charactersOf(/[\p{Default_Ignorable_Code_Point}\p{Bidi_Control}]/u)
/** Format characters, controls, separators, surrogates, noncharacters, and two that are always blank. */
const others = charactersOf(
  /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Noncharacter_Code_Point}\ufffc\u{1d159}]/u,
  // Signs around numbers and hieroglyphs are visible, whatever their class.
  /[\t\n\r\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\u{110bd}\u{110cd}\u{13430}-\u{1343f}]/u,
)
const hidden = [...new Set([...ignorable, ...others, '\r'])]

const showers: Record<string, (text: string) => string> = {
  'a line at the terminal': printable,
  'lines at the terminal': (text) => printableLines(text) + toText(process.stdout, ['x', text]),
  'JSON at the terminal': (text) => printableJson({ [text]: text }) + escapeJson(`"${text}"`),
  'the answer of a model at the terminal': (text) => {
    const { kept, terminal } = keepTerminal()
    const shown = showEvents({ ...terminal, columns: 80 })
    shown.show({ type: 'text', text })
    shown.show({ type: 'answer', step: 1, text: '', calls: 0 })
    return kept.out
  },
  'a question to a person': (text) => reveal(text).parts.map(textOf).join(''),
  'a page of ours': escapeHtml,
  'a value in a message': (text) => showValue({ [text]: text }, 1000) + showText(text),
  'a path in a message': toShownPath,
  'a name in a result': toShownName,
  'a result for a model': (text) => toData({ success: true, output: { [text]: text } }, 1000),
  'a message for a model': (text) => toDataMessage({ name: text, data: '', boundary: '-' }),
  'content of a server': (text) => JSON.stringify(cleanBlock({ type: 'text', text })).replaceAll('\\n', ''),
  'a link of a server': (text) => {
    const { uri, name } = cleanBlock({ type: 'resource_link', uri: `x:${text}`, name: text })
    return `${uri}${name}`
  },
  'an error of a server': createQuote({ kind: 'stdio', command: 'x', args: [], env: {}, cwd: '/' } as never),
  'a title or snippet of a page': (text) => toPlainLine(text),
  'a line of a transcript': (text) => stripMarkup(text, () => {}),
  'an entry of a memory': (text) => (toObjectEntry({ text }) as { text: string }).text,
  'a comment in generated types': (text) => toComment({ description: text, default: text }),
}

test.each(Object.entries(showers))('%s has no hidden character', (_, show) => {
  const shown = hidden.filter((character) => show(`a${character}b`).includes(character))
  expect(shown.map(toCode)).toEqual([])
})

test('the text of a page has no hidden character, however it is read', () => {
  const text = hidden.map((character) => `tea${character}pot`).join(' ')
  const html = `<html><head><title>Teapots</title></head><body><article><p>${text}</p></article></body></html>`
  const feed = `<rss><channel><title>T</title><item><title>x</title><description>${text.slice(0, 900)}</description></item></channel></rss>`
  const outputs = [extractPage(html, { url: 'https://a.example/' }).text, toPageText(html), readFeed(feed)?.text ?? '']
  for (const output of outputs) {
    expect(output).toContain('teapot')
    expect(hidden.filter((character) => output.includes(character)).map(toCode)).toEqual([])
  }
})

const gate = await createInputGate()
const effects = { reads: ['path'], writes: [], fetches: [], runs: [], sends: [] }
const contract = { effects } as never

const refusers: Record<string, (text: string) => boolean> = {
  'the definition of a tool': (text) => findHiddenStrings({ description: text }).length === 1,
  'a key of a definition': (text) => findHiddenStrings({ [text]: 1 }).length === 1,
  'a value that a rule matches': (text) =>
    guardEffects({ input: { path: text }, contract, workspace: '/' } as never, [{ key: 'path', value: [] }], {
      protectedPaths: [],
    })?.includes('cannot be seen') === true,
  'a question to a model': (text) => !gate.check(text).passed,
  'a claim of a model': (text) => findUnreadable(text, '') === 'hidden',
  'an entry of a memory in Markdown': (text) => text.includes('\r') || 'code' in toMarkdownEntry(text),
  'a URL': (text) => !decideUrl(`https://a.example/${text}`).allow,
  'a revision of git': (text) => !isRevision(text),
  'an endpoint of a contract': (text) => checkPlace({ endpoint: text } as never).length === 1,
}

test.each(Object.entries(refusers))('%s with a hidden character is refused', (_, refuses) => {
  expect(hidden.filter((character) => !refuses(`a${character}b`)).map(toCode)).toEqual([])
  expect(refuses('ab')).toBe(false)
})

const folders: Record<string, (text: string) => string> = {
  'a protected file': foldFileName,
  'a quote in a source': (text) => foldText(text).text,
  'a word that is a signal': (text) =>
    toWords([{ text, pointer: '' }])
      .map(({ word }) => word)
      .join(' '),
}

test.each(Object.entries(folders))('%s is recognised whatever is hidden in it', (_, fold) => {
  expect(ignorable.filter((character) => fold(`ig${character}nore`) !== 'ignore').map(toCode)).toEqual([])
})

test('only one table knows which characters are hidden', () => {
  const own = /\\p\{(?:C|Cf|Co|DI|Bidi_Control|Default_Ignorable_Code_Point)\}|\\u200[b-f]|\\u202[a-e]|\\u206[0-9]/i
  const root = fileURLToPath(new URL('../../src', import.meta.url))
  const sources = readdirSync(root, { recursive: true, encoding: 'utf8' })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts'))
  const found = sources.filter((path) => own.test(readFileSync(join(root, path), 'utf8')))
  // The pattern of a published schema cannot refer to the table; the linter of contracts does.
  expect(found.sort()).toEqual(['contract/forms.ts', 'contract/text/hidden-characters.ts'])
})

function charactersOf(included: RegExp, excluded = /[^\s\S]/): string[] {
  const found: string[] = []
  for (let code = 0; code <= 0x10ffff; code++) {
    const character = String.fromCodePoint(code)
    if (included.test(character) && !excluded.test(character)) found.push(character)
  }
  return found
}

function toCode(character: string): string {
  return `U+${character.codePointAt(0)!.toString(16)}`
}
