import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { isObject, type JsonValue } from '../../contract/json.ts'
import type { Notes } from '../storage/storage.ts'

/** Where people of this state find the console: any process that shares the state knows of a server that runs. */
export interface ConsoleAddress {
  /** Notes the address of a server, as long as it runs. Returns a function that withdraws it. Default: this process. */
  announce(url: string, by?: Server): Promise<() => Promise<void>>
  /** The address of a running server; undefined if none runs. */
  find(): Promise<string | undefined>
}

/** A process, or several that serve the same address. */
interface Server {
  readonly id: string
  /** Of the one that runs as long as the server does. */
  readonly pid: number
}

interface Noted {
  readonly url: string
  readonly pid: number
  /** Absent in notes of an older version, which are of this machine. */
  readonly host?: string
  readonly server?: string
  /** When the server was last heard of, in milliseconds since 1970. */
  readonly at?: number
}

const key = 'console-address'
const renewMs = 60_000
/** A server on another machine that has not renewed its note for this long is gone. */
const goneMs = 150_000

export function openConsoleAddress(notes: Notes, host: string = hostname()): ConsoleAddress {
  return {
    async announce(url, { id: server, pid } = { id: randomUUID(), pid: process.pid }) {
      const note = () => notes.set(key, { url, pid, host, server, at: Date.now() })
      // Of several servers, the note stays with one, and the next takes it over once that one is gone.
      const renew = async () => {
        const noted = await read(notes)
        if (!noted || noted.server === server || !isRunning(noted, host)) await note()
      }
      await note()
      const timer = setInterval(() => renew().catch(() => {}), renewMs).unref()
      return async () => {
        clearInterval(timer)
        if ((await read(notes))?.server === server) await notes.set(key, null)
      }
    },
    async find() {
      const noted = await read(notes)
      return noted && isRunning(noted, host) ? noted.url : undefined
    },
  }
}

async function read(notes: Notes): Promise<Noted | undefined> {
  const noted = await notes.get(key)
  return isNoted(noted) ? noted : undefined
}

function isNoted(noted: JsonValue | undefined): noted is JsonValue & Noted {
  return isObject(noted) && typeof noted.url === 'string' && typeof noted.pid === 'number'
}

/** A killed server leaves its note. The number of a process says nothing about another machine. */
function isRunning({ pid, host = '', at = 0 }: Noted, own: string): boolean {
  if (host !== '' && host !== own) return Math.abs(Date.now() - at) < goneMs
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
