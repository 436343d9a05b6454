import { spawn } from 'node:child_process'
import type { Writable } from 'node:stream'

/** Runs a driver with a program that does nothing. Returns the first line of its complaint; undefined if it works. */
export function runIdle(
  program: string,
  words: readonly string[],
  filter: Uint8Array | '',
): Promise<string | undefined> {
  return new Promise((resolve) => {
    const child = spawn(program, words, { stdio: ['ignore', 'ignore', 'pipe', 'ignore', 'pipe'], timeout: 10_000 })
    const input = child.stdio[4] as Writable
    input.on('error', () => {}).end(filter)
    let complaint = ''
    child.stderr!.setEncoding('utf8').on('data', (text: string) => {
      if (complaint.length < 300) complaint += text
    })
    child.once('error', (error) => resolve(error.message))
    child.once('close', (code, signal) => {
      const [line = ''] = complaint.trim().split('\n')
      resolve(code === 0 ? undefined : line || `it ended with ${signal ?? code}`)
    })
  })
}
