import { readFile } from 'node:fs/promises'
import { extname } from 'node:path'
import type { JsonValue } from '../../contract/json.ts'
import { parseJson } from '../../contract/schema/parse-json.ts'
import { toStrictJson } from '../../state/strict-json.ts'

/** What became of a client's file. */
export type ReadFile =
  | { readonly kind: 'content'; readonly content: JsonValue }
  | { readonly kind: 'absent' }
  | { readonly kind: 'broken'; readonly fault: string }

/** Claude Code keeps much else in its file. */
const limits = { maxBytes: 67_108_864, maxDepth: 100 }

/** Reads JSON with comments, TOML or YAML, by the end of its name. */
export async function readClientFile(path: string): Promise<ReadFile> {
  let text: string
  try {
    text = await readFile(path, 'utf8')
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR') return { kind: 'absent' }
    return { kind: 'broken', fault: `It cannot be read (${code}).` }
  }
  if (text.trim() === '') return { kind: 'content', content: {} }
  try {
    const parsed = parseJson(await toJsonText(text, extname(path).toLowerCase()), limits)
    return parsed.ok ? { kind: 'content', content: parsed.value } : { kind: 'broken', fault: parsed.message }
  } catch (cause) {
    return { kind: 'broken', fault: (cause as Error).message.split('\n')[0]! }
  }
}

/** As JSON text, so that the limits and the refusal of odd keys hold for every format. */
async function toJsonText(text: string, extension: string): Promise<string> {
  if (text.length > limits.maxBytes) throw new Error('It is too large.')
  if (extension === '.toml') return JSON.stringify((await import('smol-toml')).parse(text))
  if (extension === '.yaml' || extension === '.yml') return JSON.stringify((await import('yaml')).parse(text) ?? {})
  return toStrictJson(text)
}
