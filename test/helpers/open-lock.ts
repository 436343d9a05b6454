import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openLock } from '../../src/app/lock.ts'
import type { Line, Terminal } from '../../src/cli/terminal/terminal.ts'
import type { JsonObject } from '../../src/contract/json.ts'
import { AdmittedTools } from '../../src/host/admitted-tools.ts'
import type { LockDemand } from '../../src/host/lock/lock.ts'
import type { LockedEntry } from '../../src/host/lock/to-lockable.ts'
import { ServerResources } from '../../src/host/offers/server-resources.ts'
import type { UpstreamStatus } from '../../src/host/upstream.ts'
import { openStateFiles } from '../../src/runtime/storage/files/state-files.ts'

type Entries = { readonly [name: string]: LockedEntry }

export const readNote: JsonObject = {
  name: 'read',
  description: 'Reads a note.',
  inputSchema: { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] },
  outputSchema: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
  annotations: { readOnlyHint: true },
}

export const writeNote: JsonObject = {
  name: 'write',
  description: 'Writes a note.',
  inputSchema: { type: 'object', properties: { text: { type: 'string' } } },
  outputSchema: { type: 'object', properties: { ok: { type: 'boolean' } } },
}

/** The tools of a server, or why it is unreachable. */
type Listed = readonly JsonObject[] | string

/** A lock in a temporary folder, and servers with given tools, through real admission. */
export function openTestLock(servers: Entries, demand: LockDemand = 'optional', place?: string) {
  const folder = place ?? mkdtempSync(join(tmpdir(), 'toolpact-lock-'))
  const path = join(folder, 'toolpact.lock')
  const listed = new Map<string, () => Listed>()
  const directory = () => join(folder, 'state')
  const { lock: everywhere } = openStateFiles(directory)
  const lock = openLock({ path, directory, everywhere, config: () => ({ demand, servers }), statuses, look: () => [] })

  async function statuses(): Promise<UpstreamStatus[]> {
    const viewOf = await lock.views()
    return Promise.all([...listed].map(([name, list]) => toStatus(name, list())))

    async function toStatus(name: string, list: Listed): Promise<UpstreamStatus> {
      const rest = { name, instructionFlags: [], restarts: 0, noise: [], wasListed: true, isRecalled: false }
      if (typeof list === 'string')
        return { ...rest, state: 'failed', fault: list, definitions: [], admitted: [], withheld: [] }
      const serverInfo = { name: `${name}-server`, version: '1.0.0' }
      const tools = new AdmittedTools(name, {
        send: async () => {
          throw new Error('Nothing is called here.')
        },
        complete: async () => null,
        resources: new ServerResources({ server: name, canWatch: () => false, canComplete: () => false, start: async () => {}, follow() {} }), // biome-ignore format: one line
        asking: () => ({}),
        quote: String,
      })
      await tools.take({ definitions: list, isRecalled: false }, () => ({
        settings: servers[name]!,
        lock: viewOf({ name, serverInfo }),
      }))
      const { definitions, withheld } = tools
      return { ...rest, state: 'ready', serverInfo, definitions, admitted: tools.tools, withheld }
    }
  }

  return {
    folder,
    path,
    lock,
    statuses,
    /** Sets the tools that a server lists from now on. */
    list: (name: string, list: Listed | (() => Listed)) =>
      void listed.set(name, typeof list === 'function' ? list : () => list),
    read: () => JSON.parse(readFileSync(path, 'utf8')),
    write: (text: string) => writeFileSync(path, text),
    close: () => rmSync(folder, { recursive: true, force: true }),
  }
}

/** A terminal that records its output as plain text. */
export function keepTerminal(): { kept: { out: string; error: string }; terminal: Terminal } {
  const kept = { out: '', error: '' }
  const toText = (line: Line): string =>
    typeof line === 'string' ? line : 'style' in line ? line.text : line.map(toText).join('')
  const terminal: Terminal = {
    print: (...lines: readonly Line[]) => {
      kept.out += lines.map((line) => `${toText(line)}\n`).join('')
    },
    printExactly: (...lines) => terminal.print(...lines),
    write: (line) => {
      kept.out += toText(line)
    },
    log: (...lines: readonly Line[]) => {
      kept.error += lines.map((line) => `${toText(line)}\n`).join('')
    },
    logOnce: (...lines) => terminal.log(...lines),
    get lineIsOpen() {
      return /[^\n]$/.test(kept.out)
    },
    onNarrower: () => () => {},
    columns: undefined,
    signal: new AbortController().signal,
    onInterrupt: () => () => {},
    ready: async () => {},
    flush: async () => {},
  }
  return { kept, terminal }
}
