import { readFile } from 'node:fs/promises'
import type { JsonValue } from '../../contract/json.ts'
import { parseJson } from '../../contract/schema/parse-json.ts'
import { toStrictJson } from '../../storage/strict-json.ts'
import { findServers } from './find-servers.ts'

/** What a client's file came to: its servers by name, that it is not there, or why it is of no use. */
export type ReadFile =
  | { readonly kind: 'servers'; readonly servers: { readonly [name: string]: JsonValue } }
  | { readonly kind: 'absent' }
  | { readonly kind: 'broken'; readonly fault: string }

/** Claude Code keeps much else in its file. */
const limits = { maxBytes: 67_108_864, maxDepth: 100 }

export async function readClientFile(path: string, workspace: string): Promise<ReadFile> {
  let text: string
  try {
    text = await readFile(path, 'utf8')
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR') return { kind: 'absent' }
    return { kind: 'broken', fault: `It cannot be read (${code}).` }
  }
  const parsed = parseJson(toStrictJson(text), limits)
  if (!parsed.ok) return { kind: 'broken', fault: parsed.message }
  return { kind: 'servers', servers: findServers(parsed.value, workspace) ?? {} }
}
