import { findCut } from '../contract/text/shorten.ts'
import { isSecretName } from './secret-name.ts'
import { findSecrets } from './secrets.ts'

export interface KnownSecrets {
  readonly environment: { readonly [name: string]: string | undefined }
  /** Variables to redact in addition to those with secret-like names. */
  readonly names: readonly string[]
}

/** Lookahead beyond the cut, so that a secret that starts before it is recognised. */
const lookahead = 4096
/** Shorter values are words such as `true` or `dev`, not secrets. */
const minSecret = 8

interface Span {
  readonly start: number
  readonly end: number
  readonly marker: string
}

/** Makes the function that replaces secrets in a text and shortens it to about `maxCharacters` characters. */
export function createTextRedactor(secrets: KnownSecrets): (text: string, maxCharacters: number) => string {
  let known: Known[] | undefined

  return (text, maxCharacters) => {
    if (text.length < minSecret && text.length <= maxCharacters) return text.toWellFormed()
    const isTruncated = text.length > maxCharacters + lookahead
    const seen = isTruncated ? text.slice(0, maxCharacters + lookahead) : text
    known ??= toKnown(secrets)
    const spans = findSpans(seen, known, isTruncated)
    return assemble(text, spans, maxCharacters).toWellFormed()
  }
}

interface Known {
  readonly marker: string
  readonly length: number
  /** The value, or a prefix of a long one that fits into the lookahead. */
  readonly beginning: string
}

/** Longest first, so that a value contained in another does not hide it. */
function toKnown({ environment, names }: KnownSecrets): Known[] {
  const known: Known[] = []
  for (const [name, value] of Object.entries(environment)) {
    if (!value || value.length < minSecret || !(names.includes(name) || isSecretName(name))) continue
    known.push({ marker: `[redacted: $${name}]`, length: value.length, beginning: value.slice(0, lookahead) })
  }
  return known.sort((a, b) => b.length - a.length)
}

function findSpans(text: string, known: readonly Known[], isTruncated: boolean): Span[] {
  const spans: Span[] = []
  for (const { marker, length, beginning } of known) {
    for (let start = text.indexOf(beginning); start !== -1; start = text.indexOf(beginning, start + length)) {
      spans.push({ start, end: start + length, marker })
    }
  }
  for (const { kind, start, end } of findSecrets(text, { isTruncated })) {
    spans.push({ start, end, marker: `[redacted: ${kind}]` })
  }
  return spans.length > 1 ? spans.sort((a, b) => a.start - b.start) : spans
}

function assemble(text: string, spans: readonly Span[], maxCharacters: number): string {
  let kept = ''
  let at = 0
  for (const { start, end, marker } of spans) {
    if (start >= maxCharacters) break
    if (start >= at) kept += text.slice(at, start) + marker
    at = Math.max(at, end)
  }
  const cut = findCut(text, maxCharacters)
  if (at < cut) {
    kept += text.slice(at, cut)
    at = cut
  }
  return at < text.length ? `${kept}… (${toCount(text.length - at)} more characters)` : kept
}

/** Loading `Intl` would take milliseconds. */
export function toCount(number: number): string {
  return String(number).replace(/\B(?=(?:\d{3})+$)/g, ',')
}
