import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Ended } from '../processes/command-process.ts'
import { programs } from '../setup/programs.ts'
import { runShared } from './shared-commands.ts'

const bundled = process.env.TOOLPACT_TEST_BUNDLE!

/** Any user may enter it. It is removed after the tests. */
export const bundleFolder = dirname(dirname(bundled))

/** The file of each program, where test/setup/bundle-programs.ts has put it. */
export const entries = Object.fromEntries(Object.keys(programs).map((name) => [name, join(bundled, `${name}.js`)])) as {
  readonly [name in keyof typeof programs]: string
}

export type { Ended }

export interface RunOptions {
  /**
   * In a process of its own: for all that depends on how one starts and ends. Otherwise, and unless it is looked at, the
   * command runs in one that runs many, in a twentieth of the time.
   */
  readonly alone?: boolean
  readonly entry?: keyof typeof entries
  readonly input?: string
  readonly env?: NodeJS.ProcessEnv
  /** Looks at the process while it runs. */
  readonly during?: (child: ChildProcess) => void
}

/** A folder with its own state, in which the command is run as a process. */
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
    // A command that does not read its input closes the pipe.
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
