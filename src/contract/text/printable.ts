import { escapeHidden, toJsonEscape } from './hidden-characters.ts'

/** Text from elsewhere made fit for a terminal, on one line: nothing in it can move, colour, hide or reorder text. */
export function printable(text: string): string {
  return escapeHidden(text, 'line')
}

/** The same for text whose lines and tabs should be kept. */
export function printableLines(text: string): string {
  return escapeHidden(text.replaceAll('\r\n', '\n'), 'prose')
}

/** JSON with the same data, in which such characters are written as JSON's own escapes: one line, unless indented. */
export function printableJson(value: unknown, indent = 0): string {
  return escapeJson(JSON.stringify(value, null, indent))
}

/** The same for JSON that is text already. */
export function escapeJson(json: string): string {
  return escapeHidden(json, 'prose', toJsonEscape)
}
