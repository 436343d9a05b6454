/**
 * Runs in a process of its own: reads one PDF from its input, writes its text as JSON to its output, and exits. A document of a
 * few kilobytes can unpack to gigabytes, so three limits hold here: the bytes that all streams together decode to, the
 * heap (--max-old-space-size), and the memory of the whole process, which a thread watches because decoding blocks this one.
 */
import { writeSync } from 'node:fs'
import { buffer } from 'node:stream/consumers'
import { isMainThread, Worker, workerData } from 'node:worker_threads'
import { limitDecodedBytes } from './decoded-bytes.ts'

const maxDecodedBytes = 256 * 1024 * 1024
const maxResidentBytes = 768 * 1024 * 1024
const watchMs = 20
/** Above every time limit of a caller, for systems on which the end of the parent cannot be seen. */
const maxLifeMs = 120_000

if (isMainThread) await main()
else watch(workerData)

async function main(): Promise<void> {
  const watcher = new Worker(new URL(import.meta.url), { workerData: { parent: Number(process.argv[2]) } })
  await new Promise((resolve) => watcher.once('online', resolve))
  const bytes = await buffer(process.stdin)
  limitDecodedBytes(maxDecodedBytes, () => {
    // Synchronous, and not an exception: pdf.js would catch it and go on.
    writeSync(1, JSON.stringify({ fault: `it unpacks to more than ${maxDecodedBytes / 1024 ** 2} MB` }))
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
    return { fault: isLocked ? 'it is locked with a password' : 'it is damaged, or no PDF' }
  }
}

/** Kills this process when it needs too much memory, or when the process that started it is gone. */
function watch({ parent }: { readonly parent: number }): void {
  setInterval(() => {
    const isOver = process.ppid !== parent || performance.now() > maxLifeMs
    if (isOver || process.memoryUsage.rss() > maxResidentBytes) process.kill(process.pid, 'SIGKILL')
  }, watchMs)
}
