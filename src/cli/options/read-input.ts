import { createReadStream } from 'node:fs'
import { addAbortSignal, type Readable } from 'node:stream'
import { toPipelineError } from '../../contract/error-codes.ts'
import type { JsonValue } from '../../contract/json.ts'
import { parseJson } from '../../contract/schema/parse-json.ts'
import type { ErrorData } from '../../contract/tool-error.ts'

export type ReadInput =
  | { readonly ok: true; readonly input: JsonValue }
  | { readonly ok: false; readonly error: ErrorData }

interface ReadOptions {
  readonly maxBytes: number
  readonly signal: AbortSignal
}

/** Reads what follows `--input`: JSON, `@file`, or `-` for stdin. */
export async function readInput(source: string, options: ReadOptions): Promise<ReadInput> {
  if (source === '-') return readStream(process.stdin, 'stdin', options)
  if (source.startsWith('@')) return readStream(createReadStream(source.slice(1)), source.slice(1), options)
  return parseInput(Buffer.from(source), 'The text after --input', options)
}

async function readStream(stream: Readable, name: string, options: ReadOptions): Promise<ReadInput> {
  const chunks: Buffer[] = []
  let bytes = 0
  try {
    for await (const chunk of addAbortSignal(options.signal, stream)) {
      chunks.push(chunk)
      bytes += chunk.length
      if (bytes > options.maxBytes) break
    }
  } catch (cause) {
    options.signal.throwIfAborted()
    const message = `The input cannot be read from ${name} (${(cause as NodeJS.ErrnoException).code ?? cause}).`
    return { ok: false, error: toPipelineError('invalid_input', message, { suggestion: 'Check the path after @.' }) }
  }
  return parseInput(Buffer.concat(chunks), `The JSON in ${name}`, options)
}

function parseInput(bytes: Uint8Array, what: string, { maxBytes }: ReadOptions): ReadInput {
  const parsed = parseJson(bytes, { maxBytes, maxDepth: 64 })
  if (parsed.ok) return { ok: true, input: parsed.value }
  const { reason, pointer, message } = parsed
  if (reason === 'too_large' || reason === 'too_deep') {
    return { ok: false, error: toPipelineError('input_too_large', `${what} is too large: ${message}`) }
  }
  const problems = [{ pointer, keyword: reason, expected: 'JSON', message }]
  return { ok: false, error: toPipelineError('invalid_input', `${what} is not valid.`, { problems }) }
}
