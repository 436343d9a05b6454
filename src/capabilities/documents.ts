import { Worker } from 'node:worker_threads'
import { ToolError } from '../contract/tool-error.ts'
import type { PdfText } from './documents/read-pdf.ts'

/** Reads documents of strangers, apart from everything else: whatever they make of their reader, it ends. */
export interface Documents {
  /** Fails with a `ToolError` whose code is `parse_failed`. */
  readPdf(bytes: Uint8Array, options: ReadOptions): Promise<PdfText>
}

interface ReadOptions {
  readonly signal: AbortSignal
  /** Default: 30,000. */
  readonly timeoutMs?: number
}

const mostMegabytes = 512

export function openDocuments(): Documents {
  return {
    async readPdf(bytes, { signal, timeoutMs = 30_000 }) {
      signal.throwIfAborted()
      const worker = new Worker(workerFile(), {
        workerData: bytes,
        resourceLimits: { maxOldGenerationSizeMb: mostMegabytes },
        // What it says must not get between our own lines.
        stdout: true,
        stderr: true,
        env: {},
      })
      try {
        return await answerOf(worker, AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]))
      } catch (error) {
        signal.throwIfAborted()
        throw error
      } finally {
        await worker.terminate()
      }
    },
  }
}

/** As it lies beside this file, in the sources and in the package. */
function workerFile(): URL {
  const isSource = import.meta.url.endsWith('.ts')
  return new URL(isSource ? './documents/read-pdf-worker.ts' : '../workers/read-pdf.js', import.meta.url)
}

function answerOf(worker: Worker, signal: AbortSignal): Promise<PdfText> {
  return new Promise((resolve, reject) => {
    const fail = (reason: string, cause?: unknown) =>
      reject(new ToolError('parse_failed', `The PDF cannot be read: ${reason}.`, { cause }))
    signal.addEventListener('abort', () => fail('it took too long to read'), { once: true })
    worker.once('message', (answer: PdfText | { readonly fault: string }) =>
      'fault' in answer ? fail(answer.fault) : resolve(answer),
    )
    worker.once('error', (error) => fail('it took too much memory, or broke its reader', error))
    worker.once('exit', () => fail('its reader ended early'))
  })
}
