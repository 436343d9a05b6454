import { escapeHidden, toJsonEscape } from './hidden-characters.ts'

/** Escapes untrusted text for one line of a terminal: nothing in it can move, color, hide or reorder text. */
export function printable(text: string): string {
  return escapeHidden(text, 'line')
}

/** The same for several lines: line breaks and tabs are kept. */
export function printableLines(text: string): string {
  return escapeHidden(text.replaceAll('\r\n', '\n'), 'prose')
}

/** JSON with hidden characters as JSON escapes: the same data, on one line unless indented. */
export function printableJson(value: unknown, indent = 0): string {
  return escapeJson(JSON.stringify(value, null, indent))
}

/** The same for JSON text. */
export function escapeJson(json: string): string {
  return escapeHidden(json, 'prose', toJsonEscape)
}
