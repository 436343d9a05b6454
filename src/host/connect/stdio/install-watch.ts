import type { Launcher } from './find-launcher.ts'
import { hasServerProcess } from './find-server-process.ts'

const lookMs = process.platform === 'linux' ? 100 : 500

const minSeen = 2

const fetching = /^Unable to find image|Pulling from|Trying to pull|Getting image source/
const fetched = /^Status: |^Digest: |Writing manifest to image destination/

/** Detects whether a launcher is still installing, from its child processes or its output. */
export class InstallWatch {
  readonly #launcher: Launcher
  readonly #onChange: (isInstalling: boolean) => void
  #timer: NodeJS.Timeout | undefined
  #isOver = false
  #begunAt = 0
  isInstalling = false

  constructor(launcher: Launcher, pid: number, onChange: (isInstalling: boolean) => void) {
    this.#launcher = launcher
    this.#onChange = onChange
    if (launcher.sign === 'output') return
    this.#set(true)
    this.#timer = setTimeout(() => this.#look(pid, 0), lookMs).unref()
  }

  /** How long it has been installing. */
  get ageMs(): number {
    return performance.now() - this.#begunAt
  }

  /** Processes a line of stderr. */
  hear(line: string) {
    if (this.#launcher.sign !== 'output' || this.#isOver) return
    if (fetching.test(line)) this.#set(true)
    else if (fetched.test(line)) this.#set(false)
  }

  /** The server has sent a message, or has exited. */
  stop() {
    if (this.#isOver) return
    this.#isOver = true
    clearTimeout(this.#timer)
    this.#set(false)
  }

  /** The install continues in the background: it is no longer reported, and still blocks others of the same key. */
  leave() {
    this.#isOver = true
    clearTimeout(this.#timer)
  }

  /** `seen`: how often in a row the server was found. A single time may be a short-lived process. */
  async #look(pid: number, seen: number) {
    const isRunning = await hasServerProcess(pid)
    // If processes cannot be inspected, the first message marks the end of the install.
    if (this.#isOver || isRunning === undefined) return
    const now = isRunning ? seen + 1 : 0
    this.#set(now < minSeen)
    this.#timer = setTimeout(() => this.#look(pid, now), lookMs).unref()
  }

  #set(isInstalling: boolean) {
    if (this.isInstalling === isInstalling) return
    this.isInstalling = isInstalling
    if (isInstalling) this.#begunAt = performance.now()
    this.#onChange(isInstalling)
  }
}

const pending = new Map<string, Promise<void>>()

/** Waits for other installs of the same key in this process. Returns a function that releases. Rejects on abort. */
export async function takeInstallTurn({ key }: Launcher, signal: AbortSignal): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const aborted = new Promise<void>((wake) => signal.addEventListener('abort', () => wake(), { once: true }))
  while (pending.has(key) && !signal.aborted) await Promise.race([pending.get(key), aborted])
  signal.throwIfAborted()
  pending.set(key, promise)
  return () => {
    if (pending.get(key) === promise) pending.delete(key)
    resolve()
  }
}
