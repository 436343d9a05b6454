import { type ChildProcess, spawn } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

/** Where the output of a command goes that may be longer than the screen. */
export interface Pager {
  write(text: string): void
  /** Whether the pager runs, so that Ctrl-C is for it. */
  readonly isOpen: boolean
  /** Resolves when the pager can take more. */
  ready(): Promise<void>
  /** Writes what was held back, or waits until the user has left the pager. */
  close(): Promise<void>
}

interface PagerOptions {
  readonly stdout: NodeJS.WriteStream
  /** Called when the user leaves the pager before the end. */
  readonly onQuit: () => void
  readonly signal: AbortSignal
}

/** Holds output back until it is known whether it fits the screen; if not, starts the pager. Undefined if there is none. */
export function openPager(env: NodeJS.ProcessEnv, { stdout, onQuit, signal }: PagerOptions): Pager | undefined {
  const command = findPager(env)
  if (command === undefined) return undefined
  const rows = stdout.rows || 24
  let held = ''
  /** For the case that the pager cannot be started. */
  let written = ''
  let child: ChildProcess | undefined
  let ended: Promise<void> | undefined

  function send(text: string) {
    if (written.length < maxKept) written += text
    if (child!.stdin!.writable) child!.stdin!.write(text)
  }

  function start() {
    // As git does: `less` leaves short text on the screen, shows colours and does not clear the screen.
    const own = { LESS: 'FRX', LV: '-c', ...env }
    child = spawn(command!, { shell: true, stdio: ['pipe', 'inherit', 'inherit'], env: own })
    ended = new Promise((resolve) => {
      child!.once('close', (code) => {
        // The shell did not find the program.
        if (code === 126 || code === 127) stdout.write(written)
        resolve()
      })
      child!.once('error', () => resolve())
    })
    void ended.then(onQuit)
    child.stdin!.on('error', () => {})
    send(held)
    held = ''
    signal.addEventListener('abort', () => child!.kill())
  }

  return {
    write(text) {
      if (child) return send(text)
      held += text
      if (held.split('\n').length > rows) start()
    },
    get isOpen() {
      return child?.exitCode === null
    },
    async ready() {
      if (child?.stdin?.writableNeedDrain)
        await Promise.race([ended, new Promise((resolve) => child!.stdin!.once('drain', resolve))])
    },
    async close() {
      if (!child) return void stdout.write(held)
      child.stdin!.end()
      await ended
    },
  }
}

const maxKept = 1_000_000

/** The command line of the user's pager; undefined if output is not to be paged. */
function findPager({ TOOLPACT_PAGER, PAGER, NO_PAGER, PATH, TERM }: NodeJS.ProcessEnv): string | undefined {
  if (NO_PAGER || TERM === 'dumb') return undefined
  const chosen = TOOLPACT_PAGER ?? PAGER
  if (chosen !== undefined) return chosen.trim() === '' || chosen.trim() === 'cat' ? undefined : chosen
  return process.platform !== 'win32' && hasProgram('less', PATH) ? 'less -FRX' : undefined
}

function hasProgram(name: string, path = ''): boolean {
  return path.split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, name), constants.X_OK)
      return folder !== ''
    } catch {
      return false
    }
  })
}
