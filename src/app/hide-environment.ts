import { closeSync, openSync, readFileSync, readlinkSync, writeSync } from 'node:fs'

let isHidden = false

/**
 * Erases the environment that this process was started with from `/proc/PID/environ`, where commands and MCP servers of
 * the same user could read the secrets that their own environment omits. `process.env` keeps every value.
 *
 * Deleting a variable from `process.env` does not erase it: the kernel shows the block of memory that the process was
 * started with. Assigning a variable copies its text elsewhere; only then may its old text be overwritten. Linux only.
 */
export function hideEnvironment(): void {
  if (isHidden || process.platform !== 'linux') return
  isHidden = true
  try {
    // In a worker, process.env is a copy, and assigning to it moves nothing.
    if (!isMainThread()) return
    const block = readFileSync('/proc/self/environ')
    const start = findEnvironmentStart(readFileSync('/proc/self/stat', 'latin1'))
    const memory = openSync('/proc/self/mem', 'r+')
    try {
      moveVariables(block)
      writeSync(memory, block, 0, block.length, start)
    } finally {
      closeSync(memory)
    }
  } catch {
    // If /proc is missing or not accessible, others cannot read it either.
  }
}

/** Reading a link is faster than loading node:worker_threads. */
function isMainThread(): boolean {
  const [process, , thread] = readlinkSync('/proc/thread-self').split('/')
  return process === thread
}

/** The address of the environment, from the 50th field. The second field, a name in parentheses, may contain spaces. */
function findEnvironmentStart(stat: string): number {
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[50 - 3])
}

/** Copies each variable elsewhere, so that nothing refers to its text in the block, and erases that text. */
function moveVariables(block: Buffer): void {
  for (let from = 0; from < block.length; ) {
    const end = block.indexOf(0, from)
    const to = end === -1 ? block.length : end
    const entry = block.subarray(from, to)
    const text = entry.toString()
    const name = text.slice(0, text.indexOf('='))
    const value = text.slice(name.length + 1)
    const isInUse = process.env[name] === value
    // Bytes that are not UTF-8 would be altered.
    const isText = Buffer.from(text).equals(entry)
    // The parent Toolpact process identifies this process by its marker.
    if (name !== '' && name !== 'TOOLPACT_RUN' && (isText || !isInUse)) {
      if (isInUse) process.env[name] = value
      entry.fill(0)
    }
    from = to + 1
  }
}
