/**
 * Postgres rejects NUL characters and lone surrogates in text. Each is stored as U+E000 and four hex digits, and so is U+E000
 * itself. One character at a time, so that prefixes stay prefixes.
 */
const unstorable = /[\0\uE000]|[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/g
const escaped = /\uE000([0-9a-f]{4})/g

export function toStoredText(text: string): string {
  if (text.isWellFormed() && !text.includes('\0') && !text.includes('\uE000')) return text
  return text.replace(unstorable, (found) => `\uE000${found.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

export function fromStoredText(text: string): string {
  if (!text.includes('\uE000')) return text
  return text.replace(escaped, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
}

/** The literal of an array of texts. */
export function toArrayText(texts: readonly (string | null)[]): string {
  return `{${texts.map((text) => (text === null ? 'NULL' : `"${text.replace(/[\\"]/g, '\\$&')}"`)).join(',')}}`
}
