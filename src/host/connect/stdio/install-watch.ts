import { execFile } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'

const byChildren = ['npx', 'npm exec', 'npm x', 'pnpx', 'pnpm dlx', 'yarn dlx', 'bunx', 'bun x', 'uvx', 'uv tool run', 'uv run', 'pipx run'] // biome-ignore format: one line
const byOutput = ['docker run', 'podman run', 'nerdctl run']

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

/** A program that installs a server before running it. */
export interface Launcher {
  /** For messages, such as `npx` or `docker run`. */
  readonly label: string
  /** How to detect installation. `children`: until it has a child process. `output`: it reports downloads on stderr. */
  readonly sign: 'children' | 'output'
  /** Identifies the install location: launchers with the same key must not run concurrently. */
  readonly key: string
}

/** The launcher at the start of a command, if it is a known one. */
export function findLauncher(command: string, args: readonly string[]): Launcher | undefined {
  const words = [command.replace(/^.*[\\/]/, '').replace(/\.(?:cmd|exe|ps1)$/i, ''), ...args]
  // On Windows, scripts are run through a shell.
  const bare = words[0] === 'cmd' && /^\/c$/i.test(words[1] ?? '') ? words.slice(2) : words
  const begins = (label: string) => label.split(' ').every((word, index) => bare[index] === word)
  const label = [...byChildren, ...byOutput].find(begins)
  if (label === undefined) return undefined
  return { label, sign: byOutput.includes(label) ? 'output' : 'children', key: bare.join('\0') }
}

/** Whether a launcher has started the server; undefined if processes cannot be inspected. */
async function hasServerProcess(launcher: number): Promise<boolean | undefined> {
  if (process.platform === 'win32') return undefined
  return isIn(launcher, process.platform === 'linux' ? readProc : await readPs())
}

interface Found {
  readonly pid: number
  readonly words: readonly string[]
  /** The package script that npm runs, if known. */
  readonly script?: string | undefined
}

type ChildrenOf = ((pid: number) => Found[]) | undefined

function isIn(pid: number, childrenOf: ChildrenOf, depth = 0): boolean | undefined {
  if (!childrenOf) return undefined
  return childrenOf(pid).some((child) => {
    if (isHelper(child)) return false
    return isLauncher(child.words) && depth < 5 ? isIn(child.pid, childrenOf, depth + 1) : true
  })
}

/** Processes that launchers start while installing: package scripts, git, interpreter checks, builds. */
function isHelper({ words, script }: Found): boolean {
  if (script !== undefined && /install|prepare|prepack/.test(script)) return true
  const [program = '', first = '', second = ''] = words.map(toName)
  if (/^(?:git|ssh|tar|gzip|curl|node-gyp|make|cc|gcc|cargo)$/.test(program)) return true
  if (/^python[\d.]*$/.test(program)) return [first, second].some((word) => /^-[cI]$/.test(word))
  return program === 'bun' && /^(?:add|install)$/.test(first)
}

/** A launcher started by another one, such as the shim of a version manager. */
function isLauncher(words: readonly string[]): boolean {
  const [program = '', first = ''] = words.map(toName)
  if (/^(?:npx|npm|pnpm|pnpx|yarn|bunx|uvx|pipx|corepack|bwrap)$/.test(program) || /^npm (?:exec|x)/.test(program))
    return true
  if (program === 'uv' || program === 'bun') return /^(?:tool|run|x)$/.test(first)
  return /^(?:npx-cli|npm-cli|pnpm|pnpx|yarn|corepack)\.c?js$/.test(first) || /^(?:npx|npm|pnpm|yarn)$/.test(first)
}

function toName(word: string): string {
  return word.replace(/^.*\//, '')
}

function readProc(pid: number): Found[] {
  return read(() => readdirSync(`/proc/${pid}/task`))
    .flatMap((task) => read(() => readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').trim().split(' ')))
    .filter((child) => child !== '')
    .map((child) => ({
      pid: Number(child),
      words: read(() => readFileSync(`/proc/${child}/cmdline`, 'utf8').split('\0')),
      script: read(() => readFileSync(`/proc/${child}/environ`, 'utf8').split('\0'))
        .find((entry) => entry.startsWith('npm_lifecycle_event='))
        ?.slice('npm_lifecycle_event='.length),
    }))
}

/** A process may exit while it is being inspected. */
function read(get: () => string[]): string[] {
  try {
    return get()
  } catch {
    return []
  }
}

function readPs(): Promise<ChildrenOf> {
  return new Promise((resolve) => {
    execFile('ps', ['-axo', 'pid=,ppid=,command='], { maxBuffer: 16 * 1024 * 1024 }, (fault, text) => {
      if (fault) return resolve(undefined)
      const rows = text.split('\n').flatMap((line) => {
        const [, pid, parent, command = ''] = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? []
        return pid === undefined ? [] : [{ pid: Number(pid), parent: Number(parent), words: command.split(' ') }]
      })
      const byParent = Map.groupBy(rows, ({ parent }) => parent)
      resolve((pid) => byParent.get(pid) ?? [])
    })
  })
}
