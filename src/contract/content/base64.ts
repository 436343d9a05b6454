/** Base64 as the standard writes it, from what servers send: with line breaks, of the URL alphabet, as a data URL. */
export function toBase64(text: string): string | undefined {
  const comma = text.startsWith('data:') ? text.indexOf(';base64,') : -1
  const given = comma === -1 ? text : text.slice(comma + 8)
  const compact = /\s/.test(given) ? given.replace(/\s+/g, '') : given
  if (standard.test(compact) && compact.length % 4 === 0) return compact
  return lenient.test(compact) ? Buffer.from(compact, 'base64').toString('base64') : undefined
}

const standard = /^[A-Za-z0-9+/]+={0,2}$/
const lenient = /^[A-Za-z0-9+/_-]{2,}={0,2}$/

/** The first bytes, by which a type is recognised. */
export function headOf(base64: string): Uint8Array {
  return Buffer.from(base64.slice(0, 684), 'base64')
}
