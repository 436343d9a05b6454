import { escapeHidden, toJsonEscape } from './hidden-characters.ts'
import { findCut, shorten } from './shorten.ts'

/** A value as JSON of at most `length` characters, without hidden characters. */
export function showValue(value: unknown, length = 80): string {
  return shorten(write(value, length), length)
}

/** Untrusted text, escaped and shortened in the same way, without quotes. */
export function showText(text: string, length = 80): string {
  const clean = escapeUnseen(text.slice(0, length + 1).replace(/\s+/g, ' '))
  return clean.length > length || text.length > length ? `${clean.slice(0, findCut(clean, length - 1))}…` : clean
}

/** Writes at most slightly more than `room` characters, however large the value is. */
function write(value: unknown, room: number): string {
  if (typeof value === 'string') return escapeUnseen(JSON.stringify(value.slice(0, room + 1)))
  if (typeof value !== 'object' || value === null) return String(value)
  const isList = Array.isArray(value)
  let text = isList ? '[' : '{'
  let isFirst = true
  for (const key in value) {
    if (text.length > room) return text
    text += isFirst ? '' : ','
    isFirst = false
    if (!isList) text += `${write(key, room - text.length)}:`
    text += write((value as Record<string, unknown>)[key], Math.max(0, room - text.length))
  }
  return text + (isList ? ']' : '}')
}

function escapeUnseen(text: string): string {
  return escapeHidden(text, 'exact', toJsonEscape)
}
