/** Loaded into a process that is watched: collects when it is told to, and writes what is still held, in bytes, to the fourth stream. */
import { writeSync } from 'node:fs'

process.on('SIGUSR2', () => {
  globalThis.gc!()
  writeSync(3, `${process.memoryUsage().heapUsed}\n`)
})
