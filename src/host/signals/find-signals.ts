import type { JsonObject, JsonValue } from '../../contract/json.ts'
import { pointerTo } from '../../contract/schema/json-pointer.ts'
import { showText } from '../../contract/text/show-value.ts'
import type { ToolIndex } from '../admission/tool-index.ts'
import { compilePhrase, type Phrase } from './compile-phrase.ts'
import { findEncoded } from './find-encoded.ts'
import { findOtherServers } from './find-other-servers.ts'
import { createPhraseBook, type PhraseBook } from './phrase-book.ts'
import type { Signal } from './signal.ts'
import { signals, tooMuchText } from './signals.ts'
import { type Passage, toWords, type Word } from './to-words.ts'
import { type Language, wordLists } from './word-lists.ts'

/** Phrases that involve the user. Near them, a sentence asks for approval rather than arguing against it. */
const guards: readonly Phrase[] = [
  'after|once|until|before ~3 $user|they ~4 $agreeing|permission|instructs|instructed|requests|requested|asks|asked|explicitly|says|specifies|wants',
  'with ~2 users|their ~2 $yes|permission',
  'always|must|should|please|first|make_sure_to|be_sure_to|need_to|then|instead ~2 ask|confirm_with|check_with|inform|tell|notify|warn|consult ~1 $user|them',
  'must|should|first|always|please ~2 obtain|get|seek|request|ask_for|wait_for ~4 $yes|permission',
  'ask|confirm_with|check_with|tell|inform|warn ~1 $user|them ~4 first|before|beforehand',
  'explicit|explicitly|prior ~2 $yes|permission|request',
  'requires|require|requiring ~3 $yes',
]

/** The same, and a preceding negation does not matter: do not tell them unless they ask. */
const exceptions: readonly Phrase[] = [
  'only ~2 after|when|if|once|with ~4 $user|they|their|users ~4 $agreeing|$yes|permission|ask|asks|request|requests|requested|asked|wants|want|explicitly|says',
  'unless ~3 $user|they ~4 $agreeing|permission|instruct|instructs|instructed|request|requests|requested|ask|asks|asked|explicitly|say|says|specify|specifies|want|wants|need|needs',
]

/** Keys whose values are not prose: identifiers, formats and addresses. */
const skipped = new Set([
  ...['pattern', '$schema', '$ref', '$id', '$anchor', 'format', 'type', 'mimeType'],
  ...['src', 'href', 'url', 'uri', 'contentMediaType', 'contentEncoding'],
])

/** A passage that a person should review before trusting a tool or a server. */
export interface Flag {
  readonly signal: string
  /** What the signal looks for, and why. */
  readonly message: string
  /** JSON pointer into the definition; empty for a server's instructions. */
  readonly pointer: string
  /** The matching text, sanitized and shortened. */
  readonly excerpt: string
}

export interface SignalContext {
  readonly server: string
  /** The tools of other servers. Without them, mentions of those are not detected. */
  readonly others?: ToolIndex
}

/** Flags text that honest tools rarely address to a model; each signal once. Runs locally. */
export function findSignals(definition: JsonObject, context: SignalContext): Flag[] {
  return flagPassages(collectPassages(definition), context)
}

/** The same for a server's instructions. */
export function flagInstructions(instructions: JsonValue | undefined, context: SignalContext): Flag[] {
  return typeof instructions === 'string' ? flagPassages([{ text: instructions, pointer: '' }], context) : []
}

function flagPassages(passages: readonly Passage[], context: SignalContext): Flag[] {
  const flags = new Map<string, Flag>()
  const words = toWords(passages)
  for (const { key, first, last } of openBook().find(words.slice(0, maxWords))) {
    flags.set(key.id, toFlag(key, first.passage, toExcerpt(first, last)))
  }
  const unread = words[maxWords]
  if (unread) flags.set(tooMuchText.id, toFlag(tooMuchText, unread.passage, around(unread.passage.text, unread.start)))
  for (const passage of passages) {
    // Addresses are not prose.
    const text = passage.text.replaceAll(addresses, (address) => '·'.repeat(address.length))
    for (const signal of signals) {
      const found = flags.has(signal.id) ? null : signal.pattern?.exec(text)
      if (found) flags.set(signal.id, toFlag(signal, passage, around(passage.text, found.index)))
    }
    for (const { signal, at } of [findEncoded(text), findOtherServers(passage.text, context)].filter(isFound)) {
      if (!flags.has(signal.id)) flags.set(signal.id, toFlag(signal, passage, around(passage.text, at)))
    }
  }
  return [...flags.values()]
}

const addresses = /https?:\/\/[^\s"'<>)\]]{1,1000}/gi

/** The longest text of a known tool has 6,000 words. */
const maxWords = 30_000

let book: PhraseBook<Signal> | undefined

/** Lazy: a start without upstreams does not need it. */
function openBook(): PhraseBook<Signal> {
  book ??= createPhraseBook(
    signals.flatMap((key) =>
      Object.entries(key.phrases ?? {}).flatMap(([language, phrases]) =>
        phrases.map((phrase) => ({
          key,
          phrase: compilePhrase(phrase, wordLists[language as Language]),
          evenRefused: key.evenRefused === true,
          isGuardable: key.isGuardable === true,
        })),
      ),
    ),
    [
      ...guards.map((phrase) => ({ phrase: compilePhrase(phrase, wordLists.en), evenRefused: false })),
      ...exceptions.map((phrase) => ({ phrase: compilePhrase(phrase, wordLists.en), evenRefused: true })),
    ],
  )
  return book
}

function toFlag(
  { id, looksFor, why }: Pick<Signal, 'id' | 'looksFor' | 'why'>,
  { pointer }: Passage,
  excerpt: string,
): Flag {
  return { signal: id, message: `${looksFor.charAt(0).toUpperCase()}${looksFor.slice(1)}. ${why}`, pointer, excerpt }
}

const maxExcerpt = 200

function toExcerpt(first: Word, last: Word): string {
  const { text } = first.passage
  if (first.passage !== last.passage)
    return showText(`${text.slice(first.start)} … ${last.passage.text.slice(0, last.end)}`, maxExcerpt)
  return showText(text.slice(Math.max(0, first.start - 30), last.end + 30), maxExcerpt)
}

function around(text: string, at: number): string {
  return showText(text.slice(Math.max(0, at - 30), at + maxExcerpt), maxExcerpt)
}

function isFound<Value>(value: Value | undefined): value is Value {
  return value !== undefined
}

/**
 * Every string of a definition that a model may read, in document order. Names of tools and properties are excluded: honest
 * names contain the same words as instructions.
 */
function collectPassages(definition: JsonObject): Passage[] {
  const passages: Passage[] = []
  // Explicit stack: a definition may be deeply nested.
  const open: { value: JsonValue; pointer: string; key: string }[] = [{ value: definition, pointer: '', key: '' }]
  for (let part = open.pop(); part; part = open.pop()) {
    const { value, pointer, key } = part
    if (typeof value === 'string') {
      if (!isSkipped(key, pointer)) passages.push({ text: value, pointer })
    } else if (typeof value === 'object' && value !== null) {
      const inner = key === 'required' ? [] : Object.entries(value).reverse()
      for (const [name, item] of inner) open.push({ value: item, pointer: pointerTo(pointer, name), key: name })
    }
  }
  return passages
}

function isSkipped(key: string, pointer: string): boolean {
  return skipped.has(key) || pointer === '/name'
}
