import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import { openStateFiles } from '../../src/runtime/storage/files/state-files.ts'
import { type Answer, type SendOptions, send } from './open-http.ts'
import { entries, openCommandFolder } from './run-command.ts'

/** Serves two toolsets, under names with prefixes. */
export const twoToolsets = ['--toolset', 'learning', '--toolset', 'workspace']

/** @public The inferred types of other helpers name it. */
export interface ServeOptions {
  readonly entry?: keyof typeof entries
  readonly env?: NodeJS.ProcessEnv
}

/** Creates folders for running `toolpact serve` as a process. Cleans up after the file. Call once per test file. */
export function useServeFolders() {
  const cleanups: (() => Promise<void>)[] = []
  afterAll(async () => {
    await Promise.all(cleanups.map((clean) => clean()))
  })
  return () => {
    const { clean, ...folder } = openServeFolder()
    cleanups.push(clean)
    return folder
  }
}

function openServeFolder() {
  const opened = openCommandFolder()
  const servers: ChildProcess[] = []
  /** By caller, as they were created: they cannot be read again. */
  const tokens = new Map<string, Promise<string>>()

  async function clean() {
    await Promise.all(servers.map(kill))
    opened.close()
  }

  /** Starts a server on a free port, and waits until it prints its address. */
  async function start(args: readonly string[] = [], { entry = 'toolpact', env }: ServeOptions = {}) {
    const child = spawn(
      process.execPath,
      [entries[entry], 'serve', ...(args.includes('--port') ? [] : ['--port', '0']), '--json', ...args],
      {
        cwd: opened.folder,
        env: { ...opened.env, ...env },
        stdio: ['ignore', 'pipe', 'pipe'],
      },
    )
    servers.push(child)
    const output = { stdout: '', stderr: '' }
    for (const name of ['stdout', 'stderr'] as const)
      child[name].setEncoding('utf8').on('data', (text) => {
        output[name] += text
      })
    const exited = once(child, 'close').then(([code]) => code as number | null)
    await Promise.race([exited, until(() => output.stdout.includes('\n'))])
    if (!output.stdout) throw new Error(`It did not start: ${output.stderr}`)
    const findOwn = () => (args.includes('--no-token') ? null : findToken())
    const told = JSON.parse(output.stdout) as {
      url: string
      console: string
      tools: number
      workspace: string
      pid: number
    }
    return {
      ...told,
      port: Number(new URL(told.url).port),
      output,
      exited,
      kill: (signal: NodeJS.Signals) => child.kill(signal),
      send: async (path: string, options?: SendOptions): Promise<Answer> =>
        send(`${told.url}${path}`, {
          ...options,
          token: options?.token === undefined ? await findOwn() : options.token,
        }),
      /** Waits for text on stderr. */
      untilTold: (words: string | RegExp) =>
        until(() => (typeof words === 'string' ? output.stderr.includes(words) : words.test(output.stderr))),
    }
  }

  /** A token of a caller in the state directory, created with the first use. */
  function findToken(caller = 'local'): Promise<string> {
    const known = tokens.get(caller) ?? createToken(caller)
    tokens.set(caller, known)
    return known
  }

  async function createToken(caller: string): Promise<string> {
    return (await openStateFiles(() => join(opened.folder, 'state')).tokens.create(caller)).token
  }

  return { ...opened, findToken, start, clean }
}

async function kill(child: ChildProcess) {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'close')
  child.kill('SIGKILL')
  await ended
}

export async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 4500; tries++) {
    if (await isSo()) return
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  throw new Error('It did not come to pass in time.')
}
