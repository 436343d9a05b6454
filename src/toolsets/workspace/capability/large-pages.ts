import { openWorkerTask, type WorkerTask } from '../../../capabilities/worker.ts'

/** Reads large pages in a thread, with the same code that reads small ones. */
export function openLargePages<Request, Text>(): WorkerTask<Request, Text> {
  const isSource = import.meta.url.endsWith('.ts')
  const module = new URL(isSource ? '../to-page-text.ts' : '../processes/to-page-text.js', import.meta.url)
  return openWorkerTask(module, { code: 'fetch_failed' })
}
