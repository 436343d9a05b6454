/**
 * Loaded into a process that is watched: collects when it is told to, and writes what is still held, in bytes, to the fourth
 * stream. Code is told by itself: V8 compiles for as long as functions are called again, and that is no leak.
 */
import { writeSync } from 'node:fs'
import { getHeapSpaceStatistics } from 'node:v8'

process.on('SIGUSR2', () => {
  globalThis.gc!()
  let [objects, code] = [0, 0]
  for (const { space_name: name, space_used_size: size } of getHeapSpaceStatistics())
    if (/^(?:code|trusted)_/.test(name)) code += size
    else objects += size
  writeSync(3, `${JSON.stringify({ objects, code })}\n`)
})
