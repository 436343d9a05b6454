import { isObject } from '../../contract/json.ts'
import type { Notes } from '../storage/storage.ts'

/** Where people of this state find the console: any process that shares the state knows of a server that runs. */
export interface ConsoleAddress {
  /** Notes the address of this process. Returns a function that withdraws it. */
  announce(url: string): Promise<() => Promise<void>>
  /** The address of the running server that was noted last; undefined if none runs. */
  find(): Promise<string | undefined>
}

const key = 'console-address'

export function openConsoleAddress(notes: Notes): ConsoleAddress {
  return {
    async announce(url) {
      await notes.set(key, { url, pid: process.pid })
      return async () => {
        if ((await read(notes))?.pid === process.pid) await notes.set(key, null)
      }
    },
    async find() {
      const noted = await read(notes)
      return noted && isRunning(noted.pid) ? noted.url : undefined
    },
  }
}

async function read(notes: Notes): Promise<{ readonly url: string; readonly pid: number } | undefined> {
  const noted = await notes.get(key)
  if (!isObject(noted) || typeof noted.url !== 'string' || typeof noted.pid !== 'number') return undefined
  return { url: noted.url, pid: noted.pid }
}

/** A killed server leaves its note. */
function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
