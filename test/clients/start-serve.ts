import { type ChildProcess, spawn } from 'node:child_process'
import { toolsets } from '../../src/toolsets/index.ts'

/** Serves every built-in toolset. */
export const everyToolset = Object.keys(toolsets).flatMap((name) => ['--toolset', name])

export interface ServeOptions {
  /** The file that is run: the command, or a program that wraps it. */
  readonly entry: string
  readonly args: readonly string[]
  readonly env?: NodeJS.ProcessEnv
  readonly cwd?: string
}

export interface Serving {
  /** Where MCP is spoken. */
  readonly url: string
  /** Ends the server as a person would, and gives its exit code. */
  stop(): Promise<number | null>
}

/** Starts `toolpact serve` on a port that is free, and waits until it says where it is. */
export async function startServe({ entry, args, env, cwd }: ServeOptions): Promise<Serving> {
  const child = spawn(process.execPath, [entry, 'serve', '--port', '0', ...args], {
    cwd,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve))
  return {
    url: await readUrl(child, ended),
    stop() {
      child.kill('SIGTERM')
      const hang = setTimeout(() => child.kill('SIGKILL'), 20_000)
      return ended.finally(() => clearTimeout(hang))
    },
  }
}

function readUrl({ stdout, stderr }: ChildProcess, ended: Promise<unknown>): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = ''
    for (const stream of [stdout!, stderr!]) {
      stream.setEncoding('utf8').on('data', (more) => {
        text += more
        const [url] = /http:\/\/[\d.]+:\d+\/mcp/.exec(text) ?? []
        if (url) resolve(url)
      })
    }
    ended.then(() => reject(new Error(`The server ended before it said where it is: ${text}`)))
  })
}
