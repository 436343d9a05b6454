import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { entries, openCommandFolder } from '../helpers/run-command.ts'

/** A `toolpact serve` process that is started on demand and restarted after it exits. */
export interface ServeProcess {
  /** The process and its first output line. */
  get(): Promise<{ readonly child: ChildProcess; readonly url: string; readonly token: string }>
  /** Throws with its output if it has exited. */
  expectAlive(): void
  close(): Promise<void>
}

const living = new Set<ChildProcess>()
process.on('exit', () => {
  for (const child of living) child.kill('SIGKILL')
})

export function openServeProcess(kind: 'stdio' | 'http'): ServeProcess {
  const { folder, env, run, close } = openCommandFolder()
  const flags = kind === 'stdio' ? ['--stdio'] : ['--port', '0', '--json']
  let running: { child: ChildProcess; url: string; token: string } | undefined
  let errors = ''

  async function start() {
    const child = spawn(process.execPath, [entries.toolpact, 'serve', '--toolset', 'learning', ...flags], {
      cwd: folder,
      env,
    })
    living.add(child)
    child.once('exit', () => living.delete(child))
    // Ignore EPIPE: the exit itself is reported.
    child.stdin.on('error', () => {})
    errors = ''
    child.stderr.setEncoding('utf8').on('data', (text) => {
      errors = (errors + text).slice(-4000)
    })
    if (kind === 'stdio') return { child, url: '', token: '' }
    const [line] = (await Promise.race([once(child.stdout, 'data'), once(child, 'exit')])) as [unknown]
    if (hasEnded(child)) throw new Error(`The server did not start: ${errors}`)
    const { url } = JSON.parse(String(line)) as { url: string }
    return { child, url, token: (await run(['token', 'create', 'local'])).stdout.trim() }
  }

  return {
    async get() {
      if (!running || hasEnded(running.child)) running = await start()
      return running
    },
    expectAlive() {
      const { child } = running ?? {}
      if (child && hasEnded(child))
        throw new Error(`The server ended: ${child.exitCode ?? child.signalCode}. ${errors}`)
    },
    async close() {
      if (running && !hasEnded(running.child)) {
        const ended = once(running.child, 'close')
        running.child.kill('SIGKILL')
        await ended
      }
      close()
    },
  }
}

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null
}
