import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { createParser } from 'eventsource-parser'
import type { JsonObject } from '../../src/contract/json.ts'
import { entries } from '../helpers/run-command.ts'
import type { Answer } from './errands.ts'
import { makeConfig } from './open-servers.ts'

const reportHeap = new URL('report-heap.ts', import.meta.url).href
const library = fileURLToPath(new URL('library-process.ts', import.meta.url))

interface Request {
  readonly tool: string
  readonly input: JsonObject
  readonly nonce: string
  readonly signal: AbortSignal
}

/** A way to call tools. Rejects without a response, or when the signal aborts. */
export interface Surface {
  readonly name: string
  call(request: Request): Promise<Answer>
}

/** A process with one or more surfaces and its own upstream servers. */
export interface Subject {
  readonly name: string
  readonly pid: number
  /** Its state directory. */
  readonly state: string
  /** Live heap after garbage collection, in MB: see report-heap.ts. */
  held(): Promise<{ readonly objects: number; readonly code: number }>
  readonly surfaces: readonly Surface[]
  /** Pids of the servers it started. */
  pids(): readonly number[]
  /** Stops it; returns problems of its exit and ledger, and the number of entries. */
  close(): Promise<{ readonly faults: readonly string[]; readonly entries: number }>
}

export function openLibrary(folder: string): Subject {
  const { child, ...subject } = start(folder, (config, state) => [library, config, state])
  const send = createLines(child)
  async function call({ tool, input, nonce, signal }: Request): Promise<Answer> {
    const text = await send({ nonce, tool, input }, { nonce, signal, cancel: { cancel: nonce } })
    const { result } = JSON.parse(text)
    return result.success ? { output: result.output, text } : { code: result.error.code, text }
  }
  return { ...subject, name: 'a program', surfaces: [{ name: 'library', call }] }
}

export function openStdio(folder: string, servers?: readonly string[]): Subject {
  const { child, ...subject } = start(folder, (config) => [entries.toolpact, 'serve', '--config', config, '--stdio'], servers) // biome-ignore format: one line
  const send = createLines(child)
  async function call({ tool, input, nonce, signal }: Request): Promise<Answer> {
    const cancel = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: nonce } }
    return fromMessage(await send(toMessage(tool, input, nonce), { nonce, signal, cancel }))
  }
  return { ...subject, name: 'serve --stdio', surfaces: [{ name: 'MCP stdio', call }] }
}

interface Sending {
  readonly nonce: string
  readonly signal: AbortSignal
  /** The cancel message. */
  readonly cancel: object
}

/** Writes a line and resolves with the line whose id is the nonce. */
function createLines(child: ChildProcess) {
  const waiting = new Map<string, (line: string) => void>()
  const write = (message: object) => child.stdin!.write(`${JSON.stringify(message)}\n`)
  createInterface({ input: child.stdout! }).on('line', (line) => {
    const { id } = JSON.parse(line) as { id?: string }
    if (id === undefined) return
    waiting.get(id)?.(line)
    waiting.delete(id)
  })
  return (message: object, { nonce, signal, cancel }: Sending) =>
    new Promise<string>((resolve, reject) => {
      waiting.set(nonce, resolve)
      signal.addEventListener('abort', () => {
        if (!waiting.delete(nonce)) return
        write(cancel)
        reject(signal.reason)
      })
      write(message)
    })
}

export async function openHttp(folder: string, servers?: readonly string[]): Promise<Subject> {
  const flags = ['--port', '0', '--json']
  const { child, run, ...subject } = start(folder, (config) => [entries.toolpact, 'serve', '--config', config, ...flags], servers) // biome-ignore format: one line
  const [line] = await Promise.race([once(child.stdout!, 'data'), once(child, 'exit')])
  if (hasEnded(child)) throw new Error(`The server did not start, and ended with ${child.exitCode}.`)
  const { url } = JSON.parse(String(line)) as { url: string }
  const { stdout: token } = await run(['token', 'create', 'local'])
  const post = (path: string, body: string, { signal, more = {} }: { signal: AbortSignal; more?: object }) =>
    fetch(url + path, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token.trim()}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...more,
      },
      body,
      signal,
    })
  const mcp: Surface = {
    name: 'MCP HTTP',
    async call({ tool, input, nonce, signal }) {
      const more = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': tool }
      const response = await post('/mcp', JSON.stringify(toMessage(tool, input, nonce)), { signal, more })
      const text = await response.text()
      if (!text.includes(`"id":"${nonce}"`)) return { text: `status ${response.status}, without its id: ${text}` }
      // A slow response arrives as an event stream, after keep-alive comments.
      return fromMessage(readEvent(text) ?? text)
    },
  }
  const rest: Surface = {
    name: 'REST',
    async call({ tool, input, signal }) {
      const response = await post(`/v1/tools/${tool}`, JSON.stringify(input), { signal })
      const text = await response.text()
      const body = JSON.parse(text) as JsonObject
      return response.ok ? { output: body, text } : { code: String(body.code), text }
    },
  }
  return { ...subject, name: 'serve', surfaces: [mcp, rest] }
}

/** Starts a Node program in a temporary folder with a config, of these MCP servers, and a state directory. */
function start(
  folder: string,
  toArguments: (config: string, state: string) => readonly string[],
  servers?: readonly string[],
) {
  mkdirSync(folder)
  const { path, pids } = makeConfig(join(folder, 'servers'), servers)
  const state = join(folder, 'state')
  const env = { ...process.env, TOOLPACT_STATE_DIR: state }
  const child = spawn(process.execPath, ['--expose-gc', '--import', reportHeap, ...toArguments(path, state)], {
    cwd: folder,
    env,
    stdio: ['pipe', 'pipe', 'ignore', 'pipe'],
  })
  const heaps = createInterface({ input: child.stdio[3] as Readable })
  // Children must not outlive this process.
  process.on('exit', () => child.kill('SIGKILL'))
  child.stdin!.on('error', () => {})

  async function run(command: readonly string[]) {
    const other = spawn(process.execPath, [entries.toolpact, ...command], { cwd: folder, env, stdio: ['ignore', 'pipe', 'ignore'] }) // biome-ignore format: one line
    let stdout = ''
    other.stdout!.setEncoding('utf8').on('data', (text) => {
      stdout += text
    })
    const [code] = await once(other, 'close')
    return { code: code as number | null, stdout }
  }

  async function held() {
    if (hasEnded(child)) throw new Error('The process has ended.')
    const told = once(heaps, 'line', { signal: AbortSignal.timeout(30_000) })
    child.kill('SIGUSR2')
    const { objects, code } = JSON.parse((await told)[0]) as { objects: number; code: number }
    return { objects: objects / 1024 ** 2, code: code / 1024 ** 2 }
  }

  async function close() {
    const faults: string[] = []
    if (hasEnded(child)) faults.push(`the process ended by itself: ${child.exitCode ?? child.signalCode}`)
    else if (!(await end(child))) faults.push('the process did not end when it was told to')
    const { code, stdout } = await run(['ledger', '--verify', '--json'])
    if (code !== 0) faults.push(`the ledger is broken: ${stdout}`)
    const entries: number = code === 0 ? JSON.parse(stdout).entries : 0
    return { faults, entries }
  }

  return { child, run, pid: child.pid!, state, held, pids, close }
}

/** Whether it exited within half a minute; kills it otherwise. */
async function end(child: ChildProcess): Promise<boolean> {
  const timer = setTimeout(() => child.kill('SIGKILL'), 30_000)
  child.kill('SIGTERM')
  await once(child, 'close')
  clearTimeout(timer)
  return child.signalCode !== 'SIGKILL'
}

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null
}

const meta = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28', 'io.modelcontextprotocol/clientCapabilities': {} } // biome-ignore format: one line

function toMessage(name: string, input: JsonObject, id: string): object {
  return { jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: input, _meta: meta } }
}

/** The data of the last event; notifications may precede it. */
function readEvent(text: string): string | undefined {
  let last: string | undefined
  const onEvent = ({ data }: { data: string }) => {
    last = data
  }
  createParser({ onEvent }).feed(text)
  return last
}

function fromMessage(text: string): Answer {
  const { result, error } = JSON.parse(text)
  const failure = result?._meta?.['toolpact/error'] ?? error?.data?.error ?? error
  return failure ? { code: String(failure.code), text } : { output: result.structuredContent, text }
}
