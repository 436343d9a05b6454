const maxLength = 2000

/** The address of an http link that a terminal may open; undefined for other schemes, and for user info, which misleads. */
export function toAddress(text: string): string | undefined {
  const url = URL.parse(text)
  if (!url || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') return undefined
  return url.href.length <= maxLength && /^[\x21-\x7e]+$/.test(url.href) ? url.href : undefined
}
