import type { IncomingHttpHeaders } from 'node:http'

/** The text of a header that came once, without the white space around it. */
export function readHeader(headers: IncomingHttpHeaders, name: string): string | undefined {
  const value = headers[name]
  return typeof value === 'string' ? value.trim() : undefined
}

const encoded = /^=\?base64\?(.*)\?=$/s
const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/
const plain = /^[\t\x20-\x7e]*$/

/** What cannot stand in a header as it is comes in base64. Nothing where it is neither. */
export function decodeHeader(value: string | undefined): string | undefined {
  if (value === undefined || !plain.test(value)) return undefined
  const text = encoded.exec(value)?.[1]
  if (text === undefined) return value
  return base64.test(text) ? Buffer.from(text, 'base64').toString() : undefined
}

/** What is wrong where a header does not repeat what the body says. */
export function toMismatch(name: string, header: string | undefined, body: string | undefined): string {
  const says = (text: string) => `says ${JSON.stringify(text.slice(0, 200))}`
  const inHeader = header === undefined ? 'is missing or cannot be read' : says(header)
  const inBody = body === undefined ? 'says nothing of it' : says(body)
  return `The header ${name} ${inHeader}, and the body ${inBody}. Send the same in both.`
}
