/**
 * Runs in its own process: reads one PDF from stdin, writes its text as JSON to stdout, and exits. A document of a few
 * kilobytes can expand to gigabytes, so there are three limits: the decoded bytes of all streams together, the heap
 * (--max-old-space-size), and the memory of the process, checked by another thread because decoding blocks this one.
 */
import { writeSync } from 'node:fs'
import { buffer } from 'node:stream/consumers'
import { isMainThread, Worker, workerData } from 'node:worker_threads'
import { limitDecodedBytes } from './decoded-bytes.ts'

const maxDecodedBytes = 256 * 1024 * 1024
const maxResidentBytes = 768 * 1024 * 1024
const watchMs = 20
/** Longer than any caller's time limit; for systems that do not reveal the exit of the parent. */
const maxLifeMs = 120_000

if (isMainThread) await main()
else watch(workerData)

async function main(): Promise<void> {
  const watcher = new Worker(new URL(import.meta.url), { workerData: { parent: Number(process.argv[2]) } })
  await new Promise((resolve) => watcher.once('online', resolve))
  const bytes = await buffer(process.stdin)
  limitDecodedBytes(maxDecodedBytes, () => {
    // Synchronous, and not an exception: pdf.js would catch it and continue.
    writeSync(1, JSON.stringify({ fault: `it expands to more than ${maxDecodedBytes / 1024 ** 2} MB` }))
    process.exit()
  })
  process.stdout.write(JSON.stringify(await answer(bytes)), () => process.exit())
}

async function answer(bytes: Uint8Array): Promise<object> {
  try {
    const { readPdf } = await import('./read-pdf.ts')
    return await readPdf(new Uint8Array(bytes))
  } catch (error) {
    const isLocked = (error as Error).name === 'PasswordException'
    return { fault: isLocked ? 'it is locked with a password' : 'it is damaged, or not a PDF' }
  }
}

/** Kills this process if it uses too much memory or its parent has exited. */
function watch({ parent }: { readonly parent: number }): void {
  setInterval(() => {
    const isOver = process.ppid !== parent || performance.now() > maxLifeMs
    if (isOver || process.memoryUsage.rss() > maxResidentBytes) process.kill(process.pid, 'SIGKILL')
  }, watchMs)
}
