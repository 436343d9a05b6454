import type { Signal } from './signal.ts'

export interface FoundAt {
  readonly signal: Signal
  readonly at: number
}

export const encodedSignal: Signal = {
  id: 'encoded-text',
  looksFor: 'readable text in a form that people do not read: base64, escapes, entities',
  why: 'A model decodes it at sight, a person does not.',
  tools: 0,
}

const base64 = /[A-Za-z0-9+/_-]{32,}={0,2}/g
const escapes = /(?:\\u[0-9a-f]{4}|\\x[0-9a-f]{2}|%[0-9a-f]{2}|&#x?[0-9a-f]{1,6};|\b[01]{8}\s){8}/i
const maxTried = 50

/** Finds text that is readable only after decoding. */
export function findEncoded(text: string): FoundAt | undefined {
  if (text.length < 32) return undefined
  const escaped = escapes.exec(text)
  if (escaped) return { signal: encodedSignal, at: escaped.index }
  let tried = 0
  for (const { 0: blob, index } of text.matchAll(base64)) {
    if (isReadable(Buffer.from(blob.slice(0, 400), 'base64').toString('latin1')))
      return { signal: encodedSignal, at: index }
    if (++tried === maxTried) return undefined
  }
  return undefined
}

/** Words separated by spaces. */
function isReadable(text: string): boolean {
  return /^[\x20-\x7e\s]+$/.test(text) && (text.match(/[a-z] [a-z]/gi)?.length ?? 0) >= 3
}
