import { Worker } from 'node:worker_threads'
import fc from 'fast-check'

interface Trial {
  readonly target: string
  readonly seed: number
  readonly value: unknown
}

/** A process in an endless loop cannot report anything, so a worker thread does. */
const code = `
  const { writeSync } = require('node:fs')
  const { parentPort, workerData } = require('node:worker_threads')
  let [told, at] = ['nothing yet', Date.now()]
  parentPort.on('message', (text) => { [told, at] = [text, Date.now()] })
  setInterval(() => {
    if (Date.now() - at < workerData) return
    writeSync(2, '\\n\u2717 It hangs at ' + told + '\\n')
    process.kill(process.pid, 'SIGKILL')
  }, 1000)
`

/** Kills this process and prints the current trial if it takes longer than this. */
export function openWatchdog(maxMs: number) {
  const worker = new Worker(code, { eval: true, workerData: maxMs })
  worker.unref()
  let told = ''
  return {
    /** The current trial. */
    told: () => told,
    tell({ target, seed, value }: Trial) {
      told = `${target}, seed ${seed}: ${fc.stringify(value).slice(0, 20_000)}`
      worker.postMessage(told)
    },
    close: () => worker.terminate(),
  }
}
