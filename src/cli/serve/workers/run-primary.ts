import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Config } from '../../../app/config/config.ts'
import type { Request } from '../../options/command.ts'
import { exitCodes } from '../../terminal/exit-codes.ts'
import { paint } from '../../terminal/terminal.ts'
import { type FromWorker, roleVariable, type ToWorker, type WorkerRole } from '../../terminal/worker-role.ts'
import { toListenError, toPlace } from '../http-place.ts'
import { graceMs } from '../serving.ts'
import { createBackOff } from './back-off.ts'
import { createHandOut } from './hand-out.ts'

/** A worker that takes longer to stop hangs: its own limits come first. */
const hangMs = 5000

interface Started {
  readonly child: ChildProcess
  /** Resolves once it takes requests. */
  readonly ready: Promise<void>
  readonly exited: Promise<Exit>
  /** When it began to take requests. */
  readyAt?: number
}

interface Exit {
  readonly code: number
  /** For people. */
  readonly how: string
}

/**
 * Owns the port and the workers, which run the same command line: starts them, gives them connections in turn, replaces those
 * that end, and stops them. It opens no storage and reads no request, so nothing that a call does can end it. Returns the exit code.
 */
export async function runPrimary(request: Request, http: Config['http'], count: number): Promise<number> {
  const { options, terminal } = request
  const { signal } = terminal
  const place = await toPlace(options, http)
  const handOut = createHandOut()
  const server = createServer({ pauseOnConnect: true, noDelay: true }, handOut.give)
  server.listen({ host: place.address, port: place.port })
  await once(server, 'listening').catch((cause) => {
    throw toListenError(cause, place)
  })
  // For example EMFILE: a connection is lost, and the server keeps running.
  server.on('error', (cause) => terminal.log([paint('red', 'Error:'), ` ${cause.message}`]))
  const sockets = mkdtempSync(join(tmpdir(), 'toolpact-'))
  const workers = new Map<number, Started>()
  const backOff = createBackOff()
  const over = new AbortController()
  const stopping = AbortSignal.any([signal, over.signal])
  const drainMs = http?.drainMs ?? 0

  function start(number: number, { prints = false, isReplacement = false } = {}): Started {
    const role: WorkerRole = { number, count, sockets, prints, isReplacement, address: server.address() as AddressInfo }
    const child = fork(process.argv[1]!, process.argv.slice(2), {
      env: { ...process.env, [roleVariable]: JSON.stringify(role) },
      // Only one may ask something at the terminal, and only before it serves.
      stdio: [prints ? 'inherit' : 'ignore', 'inherit', 'inherit', 'ipc'],
    })
    const ready = Promise.withResolvers<void>()
    const exited = once(child, 'exit').then(([code, by]): Exit => {
      handOut.remove(child)
      return { code: code || exitCodes.failed, how: by ?? `exit code ${code}` }
    })
    const started: Started = { child, ready: ready.promise, exited }
    workers.set(number, started)
    child.on('message', (message: FromWorker) => {
      if (message === 'leaving') return handOut.yield(child)
      if (typeof message === 'object') return handOut.settle(child, message.took)
      started.readyAt = performance.now()
      handOut.add(child)
      ready.resolve()
    })
    return started
  }

  /** Resolves to the exit code of a worker that ended instead. */
  function untilReady({ ready, exited }: Started): Promise<number | undefined> {
    return Promise.race([ready.then(() => undefined), exited.then(({ code }) => code)])
  }

  /** Replaces a worker whenever it ends, until the server stops or no worker can be started any more. */
  async function keep(number: number): Promise<void> {
    while (!stopping.aborted) {
      const ended = workers.get(number)!
      const { how } = await ended.exited
      if (stopping.aborted) return
      const ms = backOff.toDelayMs(number, ended.readyAt === undefined ? undefined : performance.now() - ended.readyAt)
      if (backOff.hasFailed(number) && !isAnyReady()) return
      terminal.log([paint('red', 'Error:'), ` Worker ${number} ended (${how}). Another takes its place in ${ms / 1000} s.`]) // biome-ignore format: one line
      await sleep(ms, undefined, { signal: stopping }).catch(() => {})
      if (!stopping.aborted) start(number, { isReplacement: true })
    }
  }

  function isAnyReady(): boolean {
    return [...workers.values()].some(({ child, readyAt }) => readyAt !== undefined && child.connected)
  }

  function send(message: ToWorker, to: Iterable<Started> = workers.values()) {
    for (const { child } of to) if (child.connected) child.send(message, () => {})
  }

  /** Workers finish their calls by themselves. */
  async function stop() {
    over.abort()
    send('stop')
    const closing = setTimeout(() => server.close(), drainMs)
    const hanging = setTimeout(
      () => {
        for (const { child } of workers.values()) child.kill('SIGKILL')
      },
      drainMs + graceMs + hangMs,
    )
    await Promise.all([...workers.values()].map(({ exited }) => exited))
    clearTimeout(closing)
    clearTimeout(hanging)
    handOut.close()
    server.close()
    rmSync(sockets, { recursive: true, force: true })
  }

  try {
    const first = start(1, { prints: true })
    // It may ask something, and the others follow what was answered.
    const failed = await untilReady(first)
    if (failed !== undefined) return failed
    const others = Array.from({ length: count - 1 }, (_, index) => start(index + 2))
    const codes = await Promise.all([first, ...others].map(untilReady))
    const code = codes.find((each) => each !== undefined)
    if (code !== undefined) return code
    send('print', [first])
    await Promise.race([once(signal, 'abort'), ...[...workers.keys()].map(keep)])
    if (signal.aborted) return exitCodes.success
    terminal.log([paint('red', 'Error:'), ' No worker can be started any more. Read the messages above.'])
    return exitCodes.failed
  } finally {
    await stop()
  }
}
