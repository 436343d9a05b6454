import type { ChildProcess } from 'node:child_process'
import { finished } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { LineReader } from '../../../protocol/line-reader.ts'
import { type StdioAddress, toTooLong, UpstreamFailure } from '../client.ts'
import type { PreparedProcess } from '../confinement.ts'
import { notMcp } from '../not-mcp.ts'
import type { Outgoing, ProcessOptions, Transport } from '../transport.ts'
import { findCause } from './find-cause.ts'
import { InputWriter } from './input-writer.ts'
import { findLauncher, InstallWatch, type Launcher, takeInstallTurn } from './install-watch.ts'
import { NoiseReader } from './noise-reader.ts'
import { leaveBehind, letFinish, signalGroup, startProcess, toCommand } from './start-process.ts'

/** How long to read the output after the server has exited: another process may keep the pipe open. */
const drainMs = 250
/** How long to wait for the exit code after the output was closed. */
const endMs = 500
/** How much of a line is quoted; longer than a quote. */
const maxLineBytes = 65_536
/** Max characters in quotes of the cause, and of output that is not MCP. */
const maxCause = 300
const maxPlain = 200

/** The stdio transport: starts a server, and exchanges one message per line. */
export async function openStdio(
  address: StdioAddress,
  options: ProcessOptions,
  signal: AbortSignal,
): Promise<Transport> {
  const command = toCommand(address, options.confine?.isInImage)
  const prepared = await options.confine?.prepare(command, { signal, onInstalling: options.onInstalling })
  const launcher = prepared?.isInstalled ? undefined : findLauncher(address.command, address.args)
  if (!launcher) return new Stdio(await startProcess(command, prepared), options, { prepared })
  options.onInstalling({ by: launcher.label })
  const endTurn = await takeInstallTurn(launcher, signal)
  try {
    return new Stdio(await startProcess(command, prepared), options, { prepared, launched: { launcher, endTurn } })
  } catch (cause) {
    endTurn()
    throw cause
  }
}

interface Launched {
  readonly launcher: Launcher
  /** Lets others install the same. */
  readonly endTurn: () => void
}

interface Started {
  readonly launched?: Launched
  readonly prepared: PreparedProcess | undefined
}

class Stdio implements Transport {
  readonly #child: ChildProcess
  readonly #options: ProcessOptions
  readonly #install: InstallWatch | undefined
  readonly #writer: InputWriter
  readonly #noise: NoiseReader
  readonly #lines: LineReader
  readonly #exited: Promise<void>
  readonly #drained: Promise<unknown>
  #hasSpoken = false
  /** The first line on stdout, if it was not a message. */
  #plain: string | undefined
  #isClosing = false
  #isEnding = false
  #isKilled = false
  /** Why its sandbox ended it. */
  #verdict: string | undefined

  constructor(child: ChildProcess, options: ProcessOptions, { launched, prepared }: Started) {
    const { maxMessageBytes, listener } = options
    this.#child = child
    this.#options = options
    this.#noise = new NoiseReader((line) => {
      this.#install?.hear(line)
      listener.onNoise(line)
    })
    this.#lines = new LineReader(maxMessageBytes, {
      onLine: (line) => this.#take(line),
      // The next line is intact and ids are never reused, so the server can keep running.
      onTooLong: () => listener.onAnswerLost(toTooLong(maxMessageBytes)),
    })
    this.#writer = new InputWriter(child.stdin!)
    this.#exited = new Promise((resolve) => child.once('exit', () => resolve()))
    const streams = [child.stdout!, child.stderr!].map((stream) => finished(stream).catch(() => {}))
    this.#drained = Promise.all(streams)
    child.stdout!.on('data', (chunk: Buffer) => this.#lines.push(chunk))
    child.stderr!.on('data', (chunk: Buffer) => this.#noise.push(chunk))
    // Our end of the watchdog's pipe.
    child.stdio[3]?.on('error', () => {})
    child.on('error', () => {})
    this.#install = launched && this.#watchInstall(launched)
    this.#watch(streams[0]!)
    prepared?.watch(child, (why) => {
      this.#verdict = why
      this.#kill()
    })
  }

  #watchInstall({ launcher, endTurn }: Launched): InstallWatch {
    const { onInstalling, installMs } = this.#options
    const report = (isInstalling: boolean) => {
      letFinish(this.#child, isInstalling ? installMs : 0)
      if (!isInstalling) endTurn()
      onInstalling(isInstalling ? { by: launcher.label } : undefined)
    }
    // An install that was left running still blocks others.
    this.#child.once('exit', endTurn)
    const watch = new InstallWatch(launcher, this.#child.pid!, report)
    if (!watch.isInstalling) report(false)
    return watch
  }

  request(_id: number, { text, isAlone }: Outgoing) {
    this.#write(text, isAlone)
  }

  async notify({ text }: Outgoing) {
    this.#write(text)
  }

  abandon() {
    return false
  }

  speak() {}

  listen() {}

  lastWords() {
    return this.#options.quote(findCause(this.#noise.lastLines), maxCause)
  }

  plainOutput() {
    return this.#hasSpoken || this.#plain === undefined ? undefined : this.#options.quote(this.#plain, maxPlain)
  }

  async close(graceMs: number) {
    this.#isClosing = true
    this.#writer.end()
    // A killed install would start over next time, and might never finish.
    const install = this.#install
    const mayFinish = install?.isInstalling && install.ageMs < this.#options.installMs
    if (mayFinish && leaveBehind(this.#child)) return install.leave()
    install?.stop()
    if (!(await within(graceMs, this.#exited))) {
      if (!this.#isKilled) signalGroup(this.#child.pid!, 'SIGTERM')
      await within(graceMs, this.#exited)
    }
    await this.#kill()
  }

  #write(text: string, isAlone?: boolean) {
    const fault = this.#writer.write(text, isAlone)
    if (fault === undefined) return
    this.#options.listener.onLost(new UpstreamFailure('unavailable', fault))
    this.#kill()
  }

  #take(line: Buffer) {
    const { listener } = this.#options
    // Most noise is recognized by its first character.
    const isMessage = line[0] === 0x7b || line[0] === 0x5b
    if (!this.#hasSpoken) this.#lookFirst(line, isMessage)
    if (!isMessage) listener.onNoise(line.toString('utf8', 0, maxLineBytes))
    else if (this.#isEnding && !isWhole(line)) listener.onNoise('The server ended in the middle of a message.')
    else listener.onMessage(line)
  }

  /** Until the first message, remembers other output: a program that never sends a message does not speak MCP. */
  #lookFirst(line: Buffer, isMessage: boolean) {
    if (isMessage && line.includes('"jsonrpc"')) {
      this.#hasSpoken = true
      this.#install?.stop()
    } else this.#plain ??= line.toString('utf8', 0, maxLineBytes).trim() || undefined
  }

  /** Reports the exit of the server, unless it was closed. */
  async #watch(outputEnded: Promise<unknown>) {
    await Promise.race([this.#exited, outputEnded, this.#writer.broken])
    await within(endMs, this.#exited)
    await within(drainMs, this.#drained)
    this.#isEnding = true
    this.#install?.stop()
    this.#lines.end()
    this.#noise.end()
    if (this.#isClosing) return
    this.#options.listener.onLost(this.#toFailure())
    await this.#kill()
  }

  #toFailure(): UpstreamFailure {
    const { exitCode, signalCode } = this.#child
    if (this.#verdict !== undefined)
      return new UpstreamFailure('unavailable', `The server was ended: ${this.#verdict}.`)
    const how =
      signalCode !== null
        ? `was ended by ${signalCode}`
        : exitCode !== null
          ? `ended with code ${exitCode}`
          : 'closed its output'
    const plain = this.plainOutput()
    const message = plain === undefined ? `The server ${how}.` : `The server ${how}. ${notMcp}`
    return new UpstreamFailure('unavailable', message, { words: this.lastWords() || (plain ?? '') })
  }

  /** Kills the whole process group, including the watchdog. */
  async #kill() {
    // Once only: the group id may be reused afterwards.
    if (!this.#isKilled) signalGroup(this.#child.pid!, 'SIGKILL')
    this.#isKilled = true
    await within(1000, this.#exited)
    for (const stream of this.#child.stdio) stream?.destroy()
  }
}

function isWhole(line: Buffer): boolean {
  try {
    JSON.parse(line.toString())
    return true
  } catch {
    return false
  }
}

/** Waits with a timeout. Resolves to whether the event happened in time. */
async function within(ms: number, event: Promise<unknown>): Promise<boolean> {
  const stop = new AbortController()
  const time = sleep(ms, false, { signal: stop.signal }).catch(() => false)
  const isDone = await Promise.race([event.then(() => true), time])
  stop.abort()
  return isDone
}
