import { type ChildProcessByStdio, spawn } from 'node:child_process'
import type { Readable, Writable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { createTurns } from '../../../capabilities/turns.ts'
import { ToolError, type ToolErrorOptions } from '../../../contract/tool-error.ts'
import type { PdfText } from './documents/read-pdf.ts'

/** Reads untrusted documents, one at a time, each in its own process with limits on time and memory. */
export interface Documents {
  /** Fails with a `ToolError` with the code `parse_failed`. */
  readPdf(bytes: Uint8Array, options: ReadOptions): Promise<PdfText>
}

interface ReadOptions {
  readonly signal: AbortSignal
  /** Callers take turns. Calls without one share a turn. */
  readonly caller?: string
  /** Time limit for reading it, not counting the wait. Default: 20,000. */
  readonly timeoutMs?: number
  /** Time limit for waiting in the queue. Default: 25,000, so that one slow document does not fail those behind it. */
  readonly waitMs?: number
}

const maxHeapMegabytes = 384
/** More than 4,000,000 characters take as JSON. */
const maxAnswerBytes = 32 * 1024 * 1024

/** `start` starts the reader process. Default: the PDF reader. */
export function openDocuments(start: () => ReaderProcess = startReader): Documents {
  const { takeTurn, endTurn } = createTurns(toBusy)
  return {
    async readPdf(bytes, { signal, caller = '', timeoutMs = 20_000, waitMs = 25_000 }) {
      signal.throwIfAborted()
      await takeTurn(caller, { signal, waitMs })
      try {
        signal.throwIfAborted()
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

/** A reader over its memory limit kills itself, is killed by the system, or is aborted by V8. */
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

/** Starts the reader without our environment; it may read only its own program and cannot start processes. */
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
      // Windows cannot start programs without it.
      env: process.platform === 'win32' ? { SystemRoot: process.env.SystemRoot } : {},
      stdio: ['pipe', 'pipe', 'ignore'],
      // In its own group: Ctrl-C cancels the call, which then stops the reader.
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
  return new ToolError('parse_failed', 'The PDF cannot be read now: other PDFs are still in the queue.', {
    suggestion: 'Call again in a few seconds.',
  })
}
