import type { Launcher } from './find-launcher.ts'
import { hasServerProcess } from './find-server-process.ts'

const lookMs = process.platform === 'linux' ? 100 : 500

const minSeen = 2

const fetching = /^Unable to find image|Pulling from|Trying to pull|Getting image source/
const fetched = /^Status: |^Digest: |Writing manifest to image destination/

/** Follows whether a launcher is still installing, from its child processes or from what it prints. */
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

  /** Takes a line of stderr. */
  hear(line: string) {
    if (this.#launcher.sign !== 'output' || this.#isOver) return
    if (fetching.test(line)) this.#set(true)
    else if (fetched.test(line)) this.#set(false)
  }

  /** The server has spoken, or is gone. */
  stop() {
    if (this.#isOver) return
    this.#isOver = true
    clearTimeout(this.#timer)
    this.#set(false)
  }

  /** The install goes on without us: nothing is reported of it, and nothing else of this process installs the same. */
  leave() {
    this.#isOver = true
    clearTimeout(this.#timer)
  }

  /** `seen`: how often in a row the server was found. Once may be a process that is about to end. */
  async #look(pid: number, seen: number) {
    const isRunning = await hasServerProcess(pid)
    // Where processes cannot be looked at, the first message is the end of the install.
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

/** Waits until nothing else of this process installs the same. Returns what ends the turn. Rejects once it is aborted. */
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
