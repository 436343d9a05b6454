/**
 * Preloaded into watched processes: on request it runs garbage collection and writes the live heap, in bytes, to file
 * descriptor 3. Code is reported separately, because V8 keeps compiling and that is not a leak.
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
