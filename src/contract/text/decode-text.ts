export interface DecodedText {
  readonly text: string
  /** The encoding's standard name, such as `utf-8` or `windows-1252`. */
  readonly charset: string
  /** Nothing declares the encoding, and it is not UTF-8. */
  readonly isGuess?: true
}

interface DecodeOptions {
  readonly contentType?: string
  /** Drops an incomplete character at the end. */
  readonly truncated?: boolean
  /** The encoding to assume if nothing declares one. Default: windows-1252. */
  readonly guess?: string | undefined
}

/**
 * Decodes a page by its byte order mark, the server's charset, or the charset declared in its head; otherwise as UTF-8 if
 * valid, else as `guess`. Declarations are often wrong: text that is valid UTF-8 is not in a single-byte encoding, nor in
 * another one in which it is invalid.
 */
export function decodeText(
  bytes: Uint8Array,
  { contentType = '', truncated = false, guess }: DecodeOptions = {},
): DecodedText {
  const marked = toDecoder(findMark(bytes))
  if (marked) return decode(marked)
  const declared =
    toDecoder(/;\s*charset\s*=\s*["']?\s*([^\s"';]+)/i.exec(contentType)?.[1]) ?? toDecoder(findDeclaration(bytes))
  if (declared && !isContradicted(declared.encoding, bytes, truncated)) return decode(declared)
  if (declared || isValid('utf-8', bytes, true)) return decode(toDecoder('utf-8')!)
  return { ...decode(toDecoder(guess) ?? toDecoder('windows-1252')!), isGuess: true }

  function decode(decoder: InstanceType<typeof TextDecoder>): DecodedText {
    return { text: decoder.decode(bytes, { stream: truncated }), charset: decoder.encoding }
  }
}

function findMark(bytes: Uint8Array): string | undefined {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return 'utf-8'
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be'
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le'
  return findWideText(bytes)
}

const minZeros = 4

/** UTF-16 without a mark: every second byte of markup is zero. */
function findWideText(bytes: Uint8Array): string | undefined {
  const zeros = [0, 0]
  const length = Math.min(bytes.length, 1024) & ~1
  for (let at = 0; at < length; at++) if (bytes[at] === 0) zeros[at & 1]!++
  const [even, odd] = zeros as [number, number]
  const least = Math.max(minZeros, length / 5)
  if (odd >= least && even < odd / 10) return 'utf-16le'
  return even >= least && odd < even / 10 ? 'utf-16be' : undefined
}

/** Long scripts and styles may be before it. */
const maxHead = 262_144

/** The charset of `<meta>` or an XML declaration. Text that is readable as ASCII is not UTF-16, whatever it declares. */
function findDeclaration(bytes: Uint8Array): string | undefined {
  const start = new TextDecoder('latin1').decode(bytes.subarray(0, maxHead))
  const head = start
    .replace(/<!--[\s\S]*?(?:-->|$)|<(script|style)\b[\s\S]*?(?:<\/\1|$)/gi, '')
    .split(/<body[\s>]/i, 1)[0]!
  const found =
    /<meta\s(?:[^<>]*?[\s;"'])?charset\s*=\s*["']?\s*([^\s"'/>;]+)/i.exec(head) ??
    /^\s*<\?xml\s[^<>]*?encoding\s*=\s*["']([^"']+)/i.exec(head)
  const label = found?.[1]
  if (label === undefined) return undefined
  if (/^utf-?16/i.test(label)) return 'utf-8'
  return label.toLowerCase() === 'x-user-defined' ? 'windows-1252' : label
}

const manyBytes = /^(?:gb|big5|euc-|shift_jis|iso-2022|utf-)/

/** Whether bytes that are valid UTF-8, and not only ASCII, cannot be in the declared encoding. */
function isContradicted(charset: string, bytes: Uint8Array, truncated: boolean): boolean {
  if (charset.startsWith('utf-') || !isValid('utf-8', bytes, truncated) || bytes.every((byte) => byte < 128))
    return false
  return !manyBytes.test(charset) || !isValid(charset, bytes, truncated)
}

/** With `stream`, ignores an incomplete character at the end. */
function isValid(charset: string, bytes: Uint8Array, stream: boolean): boolean {
  try {
    new TextDecoder(charset, { fatal: true }).decode(bytes, { stream })
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
