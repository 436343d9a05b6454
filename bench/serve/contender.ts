import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { openHttp } from './http-client.ts'

export type Revision = '2025-11-25' | '2026-07-28'

/** A server in a separate process, and how to call its tool. */
export interface Contender {
  readonly name: string
  readonly child: ChildProcess
  /** One caller per concurrent call; each calls sequentially. */
  open(callers: number): Promise<{ readonly calls: readonly (() => Promise<void>)[]; close(): void }>
}

interface Tool {
  readonly name: string
  readonly input: object
  /** Expected text in a response. */
  readonly says: string
}

export interface HttpAddress {
  readonly url: string
  readonly token?: string
  /** The name of the tool on this server. Default: hello. */
  readonly tool?: string
}

export const hello: Tool = { name: 'hello', input: { name: 'Ada' }, says: 'Hello, Ada!' }

export function toHttpContender(
  name: string,
  child: ChildProcess,
  address: HttpAddress,
  revision: Revision,
): Contender {
  const { tool = hello.name } = address
  let session = revision === '2025-11-25' ? undefined : ''
  return {
    name,
    child,
    async open(callers) {
      session ??= await initializeHttp(address)
      const headersOfAll = toHeaders(address, session)
      const calls = await Promise.all(
        Array.from({ length: callers }, async () => {
          const connection = await openHttp(address.url, headersOfAll)
          const message = toMessage(revision, 'tools/call', { name: tool, arguments: hello.input })
          const headers = toRequestHeaders(revision, 'tools/call', tool)
          const call = async () => check(await connection.send(message(nextId()), headers))
          return { call, close: () => connection.close() }
        }),
      )
      return {
        calls: calls.map(({ call }) => call),
        close: () => {
          for (const { close } of calls) close()
        },
      }
    },
  }
}

export function toStdioContender(name: string, child: ChildProcess, revision: Revision): Contender {
  const connection = openStdio(child)
  let ready: Promise<unknown> | undefined
  const initialize = async () => {
    if (revision !== '2025-11-25') return
    const id = nextId()
    await connection.send(id, toMessage(revision, 'initialize', initializeParams)(id))
    connection.notify(initialized)
  }
  return {
    name,
    child,
    async open(callers) {
      ready ??= initialize()
      await ready
      const message = toMessage(revision, 'tools/call', { name: hello.name, arguments: hello.input })
      const call = async () => {
        const id = nextId()
        check(await connection.send(id, message(id)))
      }
      return { calls: Array.from({ length: callers }, () => call), close() {} }
    },
  }
}

/** Kills the servers of a failed benchmark. */
const running = new Set<ChildProcess>()
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})

/** Starts a Node process; with `line`, waits until its output matches it. */
export async function start(args: readonly string[], { env, line }: { env?: NodeJS.ProcessEnv; line?: RegExp } = {}) {
  const child = spawn(process.execPath, args, { env: { ...process.env, ...env } })
  running.add(child)
  child.on('exit', () => running.delete(child))
  let text = ''
  child.stderr.setEncoding('utf8').on('data', (more) => {
    text += more
  })
  if (!line) return { child, found: '' }
  const found = await new Promise<string>((resolve, reject) => {
    child.on('exit', (code) => reject(new Error(`${args.join(' ')} ended with ${code}: ${text}`)))
    child.stdout.setEncoding('utf8').on('data', (more) => {
      text += more
      const match = line.exec(text)
      if (match) resolve(match[0])
    })
  })
  return { child, found }
}

/** Stops a server and waits for its exit. */
export function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve()
  return new Promise((resolve) => {
    child.once('exit', () => resolve())
    child.kill('SIGTERM')
  })
}

/** Current memory of a process, in MB. */
export function memoryOf({ pid }: ChildProcess): number {
  return Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })) / 1024
}

/** CPU time of a process, in ms; NaN without /proc. */
export function processorTimeOf({ pid }: ChildProcess): number {
  if (process.platform !== 'linux') return Number.NaN
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ')
  return (Number(fields[11]) + Number(fields[12])) * 10
}

let id = 1_000_000
export function nextId(): number {
  return id++
}

export function check(answer: string): void {
  if (!answer.includes(hello.says)) throw new Error(`The server answered: ${answer.slice(0, 1000)}`)
}

const clientInfo = { name: 'bench', version: '1.0.0' }
export const initializeParams = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo }
export const initialized = JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' })

/** Builds a message from a prepared template and its id. */
export function toMessage(revision: Revision, method: string, params: object): (id: number) => string {
  const meta = {
    'io.modelcontextprotocol/protocolVersion': revision,
    'io.modelcontextprotocol/clientInfo': clientInfo,
    'io.modelcontextprotocol/clientCapabilities': {},
  }
  const all = revision === '2026-07-28' ? { ...params, _meta: meta } : params
  const rest = `"method":"${method}","params":${JSON.stringify(all)}}`
  return (id) => `{"jsonrpc":"2.0","id":${id},${rest}`
}

export function toRequestHeaders(revision: Revision, method: string, name?: string): string {
  if (revision === '2025-11-25') return ''
  return `mcp-method: ${method}\r\n${name === undefined ? '' : `mcp-name: ${name}\r\n`}`
}

export function toHeaders({ token }: HttpAddress, session: string): string {
  const version = `mcp-protocol-version: ${session ? '2025-11-25' : '2026-07-28'}\r\n`
  const identity = session && session !== 'none' ? `mcp-session-id: ${session}\r\n` : ''
  return `${token ? `authorization: Bearer ${token}\r\n` : ''}${version}${identity}`
}

/** Opens a session, and returns its id. */
export async function initializeHttp(address: HttpAddress): Promise<string> {
  const first = await openHttp(address.url, toHeaders(address, 'none'))
  const answer = await first.send(toMessage('2025-11-25', 'initialize', initializeParams)(nextId()))
  first.close()
  const session = /\r\nmcp-session-id: *(\S+)/i.exec(answer)?.[1] ?? 'none'
  const second = await openHttp(address.url, toHeaders(address, session))
  await second.send(initialized)
  second.close()
  return session
}

/** Newline-delimited requests and responses, matched by id. */
interface StdioConnection {
  send(id: number, line: string): Promise<string>
  notify(line: string): void
}

function openStdio(child: ChildProcess): StdioConnection {
  const { stdin, stdout } = child
  const waiting = new Map<number, (line: string) => void>()
  // The server exited: resolve pending requests with the reason.
  child.on('exit', (code) => {
    for (const answer of waiting.values()) answer(`The server ended with ${code}.`)
  })
  let rest = ''
  stdout!.setEncoding('utf8').on('data', (text: string) => {
    const lines = (rest + text).split('\n')
    rest = lines.pop()!
    for (const line of lines) {
      const id = Number(/"id":(\d+)/.exec(line)?.[1])
      waiting.get(id)?.(line)
      waiting.delete(id)
    }
  })
  return {
    send(id, line) {
      const answer = new Promise<string>((resolve) => waiting.set(id, resolve))
      stdin!.write(`${line}\n`)
      return answer
    },
    notify: (line) => void stdin!.write(`${line}\n`),
  }
}
