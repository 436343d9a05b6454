import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Ended } from '../processes/command-process.ts'
import { programs } from '../setup/programs.ts'
import { runShared } from './shared-commands.ts'

const bundled = process.env.TOOLPACT_TEST_BUNDLE!

/** Accessible to all users; removed after the tests. */
export const bundleFolder = dirname(dirname(bundled))

/** The bundled file of each program: see test/setup/bundle-programs.ts. */
export const entries = Object.fromEntries(Object.keys(programs).map((name) => [name, join(bundled, `${name}.js`)])) as {
  readonly [name in keyof typeof programs]: string
}

export type { Ended }

export interface RunOptions {
  /**
   * Run in a separate process, for tests of startup and exit. Otherwise, and without `during`, the command runs in a
   * shared process, which takes a twentieth of the time.
   */
  readonly alone?: boolean
  readonly entry?: keyof typeof entries
  readonly input?: string
  readonly env?: NodeJS.ProcessEnv
  /** Inspects the running process. */
  readonly during?: (child: ChildProcess) => void
}

/** A folder with its own state directory, for running the command as a process. */
export function openCommandFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'toolpact-cli-'))
  const env: NodeJS.ProcessEnv = {
    ...process.env,
    TOOLPACT_STATE_DIR: join(folder, 'state'),
    XDG_CACHE_HOME: join(folder, 'cache'),
    NO_COLOR: undefined,
    FORCE_COLOR: undefined,
  }

  function run(args: readonly string[], options: RunOptions = {}): Promise<Ended> {
    const { alone, entry, input, during } = options
    const own = { ...env, ...options.env }
    if (!alone && !during && (entry === undefined || entry === 'odd'))
      return runShared(entries.commands, { args, cwd: folder, env: own, input: input ?? '', odd: entry === 'odd' })
    const child = spawn(process.execPath, [entries[entry ?? 'toolpact'], ...args], { cwd: folder, env: own })
    const output = { stdout: '', stderr: '' }
    child.stdout.setEncoding('utf8').on('data', (text) => {
      output.stdout += text
    })
    child.stderr.setEncoding('utf8').on('data', (text) => {
      output.stderr += text
    })
    // Ignore EPIPE of a command that does not read its input.
    child.stdin.on('error', () => {})
    if (input !== undefined) child.stdin.end(input)
    else if (!during) child.stdin.end()
    during?.(child)
    const hang = setTimeout(() => child.kill('SIGKILL'), 50_000)
    return new Promise((resolve, reject) => {
      child.on('error', reject)
      child.on('close', (code) => {
        clearTimeout(hang)
        resolve({ code, ...output })
      })
    })
  }

  return { folder, env, run, close: () => rmSync(folder, { recursive: true, force: true }) }
}
