import { openWorkerTask, type WorkerTask } from '../../../capabilities/worker.ts'

/** Cleans large transcripts in a thread, with the same code that cleans small ones. */
export function openLargeTranscripts<Cleaned>(): WorkerTask<string, Cleaned> {
  const isSource = import.meta.url.endsWith('.ts')
  const module = new URL(isSource ? '../clean-by-rules.ts' : '../processes/clean-by-rules.js', import.meta.url)
  return openWorkerTask(module, { code: 'timeout', subject: 'transcript' })
}
