import { spawn } from 'node:child_process'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { ToolError, type ToolErrorOptions } from '../contract/tool-error.ts'
import type { PdfText } from './documents/read-pdf.ts'

/** Reads documents of strangers, one at a time, each in a process of its own with limits on time and memory. */
export interface Documents {
  /** Fails with a `ToolError` whose code is `parse_failed`. */
  readPdf(bytes: Uint8Array, options: ReadOptions): Promise<PdfText>
}

interface ReadOptions {
  readonly signal: AbortSignal
  /** For reading it, once it is its turn. Default: 30,000. */
  readonly timeoutMs?: number
  /** For the documents before it. Default: 15,000. */
  readonly waitMs?: number
}

const maxHeapMegabytes = 384
const maxWaiting = 16
/** Above 4,000,000 characters as JSON. */
const maxAnswerBytes = 32 * 1024 * 1024

export function openDocuments(): Documents {
  let last: Promise<unknown> = Promise.resolve()
  let waiting = 0

  /** Resolves with what ends this turn, once those before it have ended. */
  async function takeTurn(signal: AbortSignal, waitMs: number): Promise<() => void> {
    if (waiting >= maxWaiting) throw toBusy()
    const { promise, resolve } = Promise.withResolvers<void>()
    const before = last
    last = before.then(() => promise)
    const timer = new AbortController()
    waiting++
    try {
      const late = delay(waitMs, 'late', { signal: AbortSignal.any([signal, timer.signal]) })
      if ((await Promise.race([before, late])) === 'late') throw toBusy()
      signal.throwIfAborted()
      return resolve
    } catch (error) {
      resolve()
      signal.throwIfAborted()
      throw error
    } finally {
      waiting--
      timer.abort()
    }
  }

  return {
    async readPdf(bytes, { signal, timeoutMs = 30_000, waitMs = 15_000 }) {
      signal.throwIfAborted()
      const endTurn = await takeTurn(signal, waitMs)
      try {
        return await readInProcess(bytes, AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]))
      } catch (error) {
        signal.throwIfAborted()
        throw error
      } finally {
        endTurn()
      }
    },
  }
}

/** Settles when the process has exited, so that there are never two. */
function readInProcess(bytes: Uint8Array, signal: AbortSignal): Promise<PdfText> {
  const child = startReader()
  const chunks: Buffer[] = []
  let size = 0
  let stopped: string | undefined
  const stop = (reason: string) => {
    stopped ??= reason
    child.kill('SIGKILL')
  }
  const onAbort = () => stop('it took too long to read')
  signal.addEventListener('abort', onAbort)
  child.stdout.on('data', (chunk: Buffer) => {
    size += chunk.length
    if (size > maxAnswerBytes) stop('it has too much text')
    else chunks.push(chunk)
  })
  // It may exit before it has read everything.
  child.stdin.on('error', () => {})
  child.stdin.end(bytes)
  return new Promise<PdfText>((resolve, reject) => {
    child.once('error', (cause) => reject(toUnreadable('its reader did not start', { cause })))
    child.once('close', (code, exitSignal) => {
      if (stopped !== undefined) return reject(toUnreadable(stopped))
      if (code !== 0) return reject(toUnreadable('it takes too much memory to read', { cause: code ?? exitSignal }))
      const answer: PdfText | { readonly fault: string } = JSON.parse(Buffer.concat(chunks).toString())
      if ('fault' in answer) reject(toUnreadable(answer.fault))
      else resolve(answer)
    })
  }).finally(() => signal.removeEventListener('abort', onAbort))
}

/** It sees nothing of our environment, reads no file but its own program, and starts nothing. */
function startReader() {
  const isSource = import.meta.url.endsWith('.ts')
  const entry = new URL(isSource ? './documents/read-pdf-process.ts' : '../processes/read-pdf.js', import.meta.url)
  const readable = fileURLToPath(new URL(isSource ? '../..' : '..', import.meta.url))
  return spawn(
    process.execPath,
    [
      `--max-old-space-size=${maxHeapMegabytes}`,
      '--disallow-code-generation-from-strings',
      '--permission',
      `--allow-fs-read=${readable}`,
      '--allow-worker',
      fileURLToPath(entry),
      String(process.pid),
    ],
    {
      cwd: readable,
      // Windows starts nothing without it.
      env: process.platform === 'win32' ? { SystemRoot: process.env.SystemRoot } : {},
      stdio: ['pipe', 'pipe', 'ignore'],
      // Not in our group: what a person interrupts is the call, and that stops it.
      detached: process.platform !== 'win32',
      windowsHide: true,
    },
  )
}

function toUnreadable(reason: string, options: ToolErrorOptions = {}): ToolError {
  const suggestion = 'Try another source, or a smaller edition of the document; calling again does not help.'
  return new ToolError('parse_failed', `The PDF cannot be read: ${reason}.`, { suggestion, ...options })
}

function toBusy(): ToolError {
  return new ToolError('parse_failed', 'The PDF cannot be read now: others are being read, one at a time.', {
    suggestion: 'Call again in a few seconds.',
  })
}
