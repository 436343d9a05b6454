import { type ChildProcessByStdio, spawn } from 'node:child_process'
import type { Readable, Writable } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { ToolError, type ToolErrorOptions } from '../../../contract/tool-error.ts'
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

/** `start` starts the process that reads. Default: the reader of PDFs. */
export function openDocuments(start: () => ReaderProcess = startReader): Documents {
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
        return await readInProcess(start(), bytes, AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]))
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
function readInProcess(child: ReaderProcess, bytes: Uint8Array, signal: AbortSignal): Promise<PdfText> {
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
      if (code !== 0) return reject(toEnded(code, exitSignal))
      const answer = readAnswer(Buffer.concat(chunks).toString())
      if ('fault' in answer) reject(toUnreadable(answer.fault))
      else resolve(answer)
    })
  }).finally(() => signal.removeEventListener('abort', onAbort))
}

/** At its limits of memory the reader kills itself, as the system does when memory runs out, or V8 aborts it. */
function toEnded(code: number | null, signal: NodeJS.Signals | null): ToolError {
  const isMemory = signal === 'SIGKILL' || signal === 'SIGABRT' || code === 134
  if (isMemory) return toUnreadable('it takes too much memory to read', { cause: signal ?? code })
  const how = signal ? `by ${signal}` : `with exit code ${code}`
  return toUnreadable(`its reader ended unexpectedly, ${how}`, { cause: signal ?? code })
}

function readAnswer(text: string): PdfText | { readonly fault: string } {
  try {
    return JSON.parse(text)
  } catch {
    return { fault: 'its reader ended before it had answered' }
  }
}

type ReaderProcess = ChildProcessByStdio<Writable, Readable, null>

/** It sees nothing of our environment, reads no file but its own program, and starts nothing. */
function startReader(): ReaderProcess {
  const isSource = import.meta.url.endsWith('.ts')
  const entry = new URL(isSource ? './documents/read-pdf-process.ts' : '../processes/read-pdf.js', import.meta.url)
  const readable = fileURLToPath(new URL(isSource ? '../../../..' : '..', import.meta.url))
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
