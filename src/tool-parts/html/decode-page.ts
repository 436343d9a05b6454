import { type DecodedText, decodeText } from '../../contract/text/decode-text.ts'

/** As `decodeText`; an undeclared encoding is guessed from the text. */
export async function decodePage(
  bytes: Uint8Array,
  options: { readonly contentType: string; readonly truncated: boolean },
): Promise<DecodedText> {
  const decoded = decodeText(bytes, options)
  if (!decoded.isGuess) return decoded
  // Few pages need it.
  const { guessCharset } = await import('./guess-charset.ts')
  return decodeText(bytes, { ...options, guess: guessCharset(bytes) })
}
