import { openWorkerTask, type WorkerTask } from '../../../capabilities/worker.ts'

/** Reads large pages in a thread, with the same code that reads small ones. */
export function openLargePages<Request, Content>(): WorkerTask<Request, Content> {
  const isSource = import.meta.url.endsWith('.ts')
  return openWorkerTask(new URL(isSource ? '../read-text.ts' : '../processes/read-text.js', import.meta.url))
}
