/** Control, format and other characters that move the cursor, turn text around or cannot be seen. */
const unprintable = /[[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]--[\u{fe0e}\u{fe0f}]]/gv

/** Ranges without any of them. To compile the expression above takes longer than to start a small command. */
export const plain = /^[\n\t\x20-\x7e\xa1-\xac\xae-\u02ff\u2026\u2190-\u27bf]*$/

/** Text from elsewhere made fit for a terminal, on one line: nothing in it can move, colour, hide or reorder text. */
export function printable(text: string): string {
  if (plain.test(text) && !/[\n\t]/.test(text)) return text
  return text.replace(unprintable, toEscape)
}

/** The same for text whose lines and tabs should be kept. */
export function printableLines(text: string): string {
  if (plain.test(text)) return text
  return text.replaceAll('\r\n', '\n').replace(unprintable, (found) => (/[\n\t]/.test(found) ? found : toEscape(found)))
}

/** JSON with the same data, in which such characters are written as JSON's own escapes: one line, unless indented. */
export function printableJson(value: unknown, indent = 0): string {
  const json = JSON.stringify(value, null, indent)
  if (plain.test(json)) return json
  return json.replace(unprintable, (found) => {
    // Only the line breaks of an indented text are there as such.
    if (found === '\n') return found
    const units = Array.from({ length: found.length }, (_, index) => found.charCodeAt(index))
    return units.map((unit) => `\\u${hex(unit).padStart(4, '0')}`).join('')
  })
}

const short: { readonly [character: string]: string } = { '\n': '\\n', '\r': '\\r', '\t': '\\t' }

function toEscape(found: string): string {
  const code = found.codePointAt(0)!
  return short[found] ?? (code < 0x100 ? `\\x${hex(code).padStart(2, '0')}` : `\\u{${hex(code)}}`)
}

function hex(code: number): string {
  return code.toString(16)
}
