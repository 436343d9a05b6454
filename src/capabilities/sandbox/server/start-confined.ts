import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import type { Writable } from 'node:stream'
import type { NetworkGrant } from '../../../policy/granted-hosts.ts'
import { watchUsage } from '../../process/watch-usage.ts'
import { openEgress, type RefusedHost } from '../network/egress.ts'
import { createProxy } from '../network/proxy.ts'
import type { ConfinedProcess, SandboxDriver } from '../sandbox.ts'
import { serveListeners } from './listeners.ts'
import type { Observer } from './observe/observe-files.ts'
import { createServerProfile, type ServerOptions } from './server-profile.ts'
import { watchFolder } from './watch-folder.ts'

export interface StartOptions {
  readonly driver: SandboxDriver
  readonly onRefused: (refused: RefusedHost) => void
  /** Granted hosts that may have a private address. */
  readonly trusted?: readonly string[]
  readonly observer?: Observer | undefined
  /** A folder that it can write, and how much. */
  readonly filled: { readonly folder: string; readonly maxBytes: number; readonly name: string }
}

/** A process that can be spawned. */
export interface StartableProcess extends ConfinedProcess {
  /** Serves its network and enforces its limits until it exits. `end` is told why it must end. */
  readonly watch: (child: ChildProcess, end: (why: string) => void) => void
  /** Reports what it tried until now. */
  readonly readTried: () => void
}

/** Confines a process, with the way out that its driver needs. */
export async function startConfined(server: ServerOptions, options: StartOptions): Promise<StartableProcess> {
  const { driver, observer } = options
  const profile = createServerProfile(observer ? withObserver(server, observer) : server)
  if (!driver.sharesLoopback || profile.network === 'any')
    return toStartable(driver.confine(profile), profile.network, options)
  const credential = `toolpact:${randomUUID()}`
  const proxy = createProxy(openEgress({ ...options, network: profile.network }), { credential }).listen(0, '127.0.0.1')
  await new Promise((resolve) => proxy.once('listening', resolve))
  const { port } = proxy.address() as { port: number }
  const confined = driver.confine({ ...profile, proxy: `http://${credential}@127.0.0.1:${port}` })
  proxy.unref()
  return toStartable(confined, profile.network, { ...options, onExit: () => proxy.close() })
}

function withObserver(server: ServerOptions, { variables, readable }: Observer): ServerOptions {
  return {
    ...server,
    environment: { ...server.environment, ...variables },
    read: [...server.read, ...readable],
  }
}

interface Watching extends StartOptions {
  readonly onExit?: () => void
}

function toStartable(confined: ConfinedProcess, network: NetworkGrant, options: Watching): StartableProcess {
  const { onExit, filled, observer } = options
  return {
    ...confined,
    readTried: () => observer?.drain(),
    watch(child, end) {
      if (confined.sendsListeners) serveListeners(child, openEgress({ ...options, network }))
      const stops = [
        ...(observer ? [observer.watch()] : []),
        watchFolder(filled.folder, filled.maxBytes, () => end(`it filled ${filled.name}, ${filled.folder}, with more than ${filled.maxBytes / 1024 ** 2} MB`)), // biome-ignore format: one line
        ...(confined.watched
          ? [watchUsage(child.pid!, confined.watched, (limit) => end(`it exceeded the limit on ${limit} of a confined server`), usageMs)] // biome-ignore format: one line
          : []),
      ]
      child.once('exit', () => {
        for (const stop of stops) stop()
        onExit?.()
        if (confined.removal) execFile(confined.program, confined.removal, { env: confined.environment }, () => {})
      })
    },
  }
}

const usageMs = 1000
const maxWords = 2000

/** Runs a process to its end. Resolves to its exit code and the end of what it printed; rejects if it is aborted or ended. */
export async function runConfined(
  startable: StartableProcess,
  signal: AbortSignal,
): Promise<{ readonly code: number | null; readonly words: string }> {
  signal.throwIfAborted()
  const { program, arguments: words, environment, workingDirectory, filter, sendsListeners } = startable
  return new Promise((resolve, reject) => {
    const child = spawn(program, words, {
      env: environment,
      cwd: workingDirectory,
      stdio: ['ignore', 'pipe', 'pipe', 'ignore', 'pipe', ...(sendsListeners ? (['ipc'] as const) : [])],
    })
    let said = ''
    let fault: Error | undefined
    const end = (why: string) => {
      fault = new Error(`It was ended: ${why}`)
      child.kill('SIGKILL')
    }
    startable.watch(child, end)
    for (const output of [child.stdout!, child.stderr!])
      output.setEncoding('utf8').on('data', (text: string) => {
        said = `${said}${text}`.slice(-maxWords)
      })
    const input = child.stdio[4] as Writable
    input.on('error', () => {}).end(filter)
    const stop = () => child.kill('SIGKILL')
    signal.addEventListener('abort', stop, { once: true })
    child.once('error', reject)
    child.once('close', (code) => {
      signal.removeEventListener('abort', stop)
      if (signal.aborted) reject(signal.reason)
      else if (fault) reject(fault)
      else resolve({ code, words: said.trim() })
    })
  })
}
