export interface DecodedText {
  readonly text: string
  /** The encoding's standard name, such as `utf-8` or `windows-1252`. */
  readonly charset: string
}

/**
 * Decodes a page by its byte order mark, the server's charset, or the charset declared in the first 1024 bytes;
 * otherwise as UTF-8 if valid, else as windows-1252. With `truncated`, an incomplete character at the end is dropped.
 */
export function decodeText(
  bytes: Uint8Array,
  { contentType = '', truncated = false }: { contentType?: string; truncated?: boolean } = {},
): DecodedText {
  const decoder =
    toDecoder(findMark(bytes)) ??
    toDecoder(/;\s*charset\s*=\s*["']?\s*([^\s"';]+)/i.exec(contentType)?.[1]) ??
    toDecoder(findDeclaration(bytes)) ??
    toDecoder(isUtf8(bytes) ? 'utf-8' : 'windows-1252')!
  return { text: decoder.decode(bytes, { stream: truncated }), charset: decoder.encoding }
}

function findMark(bytes: Uint8Array): string | undefined {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return 'utf-8'
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be'
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le'
  return undefined
}

/** The charset of `<meta>` or an XML declaration. Text that is readable as ASCII is not UTF-16, whatever it declares. */
function findDeclaration(bytes: Uint8Array): string | undefined {
  const head = new TextDecoder('latin1').decode(bytes.subarray(0, 1024)).replace(/<!--[\s\S]*?(?:-->|$)/g, '')
  const found =
    /<meta\s(?:[^>]*?[\s;"'])?charset\s*=\s*["']?\s*([^\s"'/>;]+)/i.exec(head) ??
    /^\s*<\?xml\s[^>]*?encoding\s*=\s*["']([^"']+)/i.exec(head)
  const label = found?.[1]
  if (label === undefined) return undefined
  if (/^utf-?16/i.test(label)) return 'utf-8'
  return label.toLowerCase() === 'x-user-defined' ? 'windows-1252' : label
}

/** Ignores an incomplete character at the end. */
function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true })
    return true
  } catch {
    return false
  }
}

/** Undefined for an unknown label. */
function toDecoder(label: string | undefined): InstanceType<typeof TextDecoder> | undefined {
  if (label === undefined) return undefined
  try {
    return new TextDecoder(label)
  } catch {
    return undefined
  }
}
