/**
 * Signed notes as C2SP specifies them (signed-note, tlog-cosignature): text, a blank line, and a line for each signature.
 * Parsed strictly, verified with WebCrypto alone, so that the same code runs in the command and in a browser.
 */
export interface SignedNote {
  /** What is signed, with its final newline. */
  readonly text: string
  readonly signatures: readonly NoteSignature[]
}

interface NoteSignature {
  readonly name: string
  /** First four bytes of a hash over name and key, as 8 hex digits. */
  readonly keyId: string
  readonly bytes: Uint8Array<ArrayBuffer>
}

/** A public key with its name. `cosignature`: signatures of a witness, which contain a time. */
export interface Verifier {
  readonly name: string
  readonly keyId: string
  readonly kind: 'note' | 'cosignature'
  readonly publicKey: Uint8Array<ArrayBuffer>
}

const types = { note: 1, cosignature: 4 } as const
const maxNoteCharacters = 65_536
const maxSignatures = 64
const signatureBytes = 64
const timeBytes = 8

/** Undefined if it is not exactly such a note. */
export function parseNote(note: string): SignedNote | undefined {
  if (note.length > maxNoteCharacters || hasControl.test(note) || !note.isWellFormed()) return undefined
  const end = note.lastIndexOf('\n\n')
  if (end === -1 || !note.endsWith('\n') || end + 2 >= note.length) return undefined
  const lines = note.slice(end + 2, -1).split('\n')
  const signatures = lines.map(parseSignature).filter((signature) => signature !== undefined)
  if (signatures.length !== lines.length || lines.length > maxSignatures) return undefined
  return { text: note.slice(0, end + 1), signatures }
}

export function toSignatureLine({ name, keyId }: Pick<Verifier, 'name' | 'keyId'>, signature: Uint8Array): string {
  return `— ${name} ${toBase64(Uint8Array.of(...fromHex(keyId), ...signature))}\n`
}

/**
 * The verifiers that signed the note. Signatures of other keys are ignored; if one of a known key is wrong, nothing counts.
 */
export async function verifyNote(note: SignedNote, verifiers: readonly Verifier[]): Promise<Verifier[]> {
  const signed: Verifier[] = []
  for (const { name, keyId, bytes } of note.signatures) {
    const verifier = verifiers.find((known) => known.name === name && known.keyId === keyId)
    if (!verifier) continue
    if (!(await verifySignature(note.text, bytes, verifier))) return []
    if (!signed.includes(verifier)) signed.push(verifier)
  }
  return signed
}

async function verifySignature(text: string, bytes: Uint8Array<ArrayBuffer>, { kind, publicKey }: Verifier) {
  const time = kind === 'cosignature' ? timeBytes : 0
  if (bytes.length !== time + signatureBytes) return false
  const key = await crypto.subtle.importKey('raw', publicKey, 'Ed25519', false, ['verify'])
  const message = kind === 'cosignature' ? toCosigned(text, readTime(bytes)) : text
  return crypto.subtle.verify('Ed25519', key, bytes.subarray(time), new TextEncoder().encode(message))
}

/** What a witness signs at a time in seconds since 1970. */
export function toCosigned(text: string, seconds: bigint): string {
  return `cosignature/v1\ntime ${seconds}\n${text}`
}

/** When a witness signed, in seconds since 1970. */
function readTime(bytes: Uint8Array): bigint {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength).getBigUint64(0)
}

export async function toVerifier(
  name: string,
  publicKey: Uint8Array<ArrayBuffer>,
  kind: Verifier['kind'] = 'note',
): Promise<Verifier> {
  const digest = await crypto.subtle.digest('SHA-256', toNamedKey(name, publicKey, kind))
  return { name, keyId: toHex(new Uint8Array(digest, 0, 4)), kind, publicKey }
}

/** What the id of a key is the hash of. */
export function toNamedKey(name: string, publicKey: Uint8Array, kind: Verifier['kind']): Uint8Array<ArrayBuffer> {
  return Uint8Array.of(...new TextEncoder().encode(`${name}\n`), types[kind], ...publicKey)
}

/** The text form of a public key: name, key id and key, joined by `+`. */
export function toVerifierKey({ name, keyId, kind, publicKey }: Verifier): string {
  return `${name}+${keyId}+${toBase64(Uint8Array.of(types[kind], ...publicKey))}`
}

/** Undefined if the text is not a key for Ed25519 whose id belongs to it. */
export async function parseVerifierKey(text: string): Promise<Verifier | undefined> {
  const [name = '', keyId = '', ...rest] = text.trim().split('+')
  const key = fromBase64(rest.join('+'))
  if (!isKeyName(name) || !/^[0-9a-f]{8}$/.test(keyId) || key?.length !== 33) return undefined
  const kind = (['note', 'cosignature'] as const).find((known) => types[known] === key[0])
  const verifier = kind && (await toVerifier(name, key.slice(1), kind))
  return verifier?.keyId === keyId ? verifier : undefined
}

/** Not empty, no spaces, no plus, no control characters. */
function isKeyName(name: string): boolean {
  return name.length > 0 && name.length <= 255 && !/[\s+\p{Cc}]/u.test(name)
}

/** Undefined unless it is the standard encoding with padding, byte for byte. */
export function fromBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(text) || text.length % 4 !== 0) return undefined
  const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
  return toBase64(bytes) === text ? bytes : undefined
}

export function toBase64(bytes: Uint8Array): string {
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
}

function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

function fromHex(text: string): number[] {
  return text.match(/../g)!.map((pair) => Number.parseInt(pair, 16))
}

const hasControl = /[\u0000-\u0009\u000b-\u001f]/

function parseSignature(line: string): NoteSignature | undefined {
  const [dash, name = '', encoded = '', ...more] = line.split(' ')
  const bytes = fromBase64(encoded)
  if (dash !== '—' || !isKeyName(name) || more.length > 0 || !bytes || bytes.length < 5) return undefined
  return { name, keyId: toHex(bytes.subarray(0, 4)), bytes: bytes.slice(4) }
}
