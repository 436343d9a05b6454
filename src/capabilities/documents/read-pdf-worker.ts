/** Runs in a thread of its own: reads one document and ends. */
import { parentPort, workerData } from 'node:worker_threads'
import { readPdf } from './read-pdf.ts'

try {
  parentPort!.postMessage(await readPdf(workerData))
} catch (error) {
  const isLocked = (error as Error).name === 'PasswordException'
  parentPort!.postMessage({ fault: isLocked ? 'it is locked with a password' : 'it is damaged, or no PDF' })
}
