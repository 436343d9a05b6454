import type { Files } from '../capabilities/files.ts'
import { mediaTypeOf } from '../contract/content/media-type.ts'
import type { ResourceContent } from '../contract/define-resource.ts'
import { ToolError } from '../contract/tool-error.ts'

/** Larger files are not read as a resource, which is sent in one piece. */
const maxBytes = 4_194_304

/** Upper bound of such a file as JSON: a character may take six. */
export const maxResourceBytes = 6 * maxBytes + 65_536

/** The file as the content of a resource: text, or bytes with the type that they have. Undefined if it does not exist. */
export async function readFileResource(
  files: Files,
  path: string,
  signal: AbortSignal,
): Promise<ResourceContent | undefined> {
  try {
    const { bytes } = await files.readWhole(path, { maxBytes, signal })
    const text = toText(bytes)
    if (text !== undefined) return { mimeType: toTextType(path), text }
    return { mimeType: mediaTypeOf(bytes) ?? 'application/octet-stream', bytes }
  } catch (error) {
    if (error instanceof ToolError && error.code === 'file_not_found') return undefined
    throw error
  }
}

/** The type of a text by its name. Whatever a client could run or render is plain text. */
export function toTextType(path: string): string {
  const ending = /\.([a-z]+)$/i.exec(path)?.[1]?.toLowerCase()
  if (ending === 'md' || ending === 'markdown') return 'text/markdown'
  return ending === 'json' ? 'application/json' : 'text/plain'
}

const maxValues = 100
const maxEntries = 5000

/** Paths that begin with what was typed, one level at a time: directories end in `/`. Hidden names only if a dot was typed. */
export async function completePath(
  files: Files,
  typed: string,
  /** By the real path of the directory, relative to the root. Default: every directory. */
  mayList: (directory: string) => boolean = () => true,
): Promise<string[]> {
  const cut = typed.lastIndexOf('/') + 1
  const [folder, start] = [typed.slice(0, cut), typed.slice(cut)]
  try {
    const { entries, path } = await files.list(folder === '' ? '.' : folder, { limit: maxEntries })
    if (!mayList(path)) return []
    return entries
      .filter(({ name, kind }) => name.startsWith(start) && kind !== 'other' && name !== '.git')
      .filter(({ name }) => start.startsWith('.') || !name.startsWith('.'))
      .slice(0, maxValues + 1)
      .map(({ name, kind }) => `${folder}${name}${kind === 'directory' ? '/' : ''}`)
  } catch (error) {
    // There is nothing to complete where nothing can be listed.
    if (error instanceof ToolError) return []
    throw error
  }
}

function toText(bytes: Uint8Array): string | undefined {
  if (bytes.includes(0)) return undefined
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}
