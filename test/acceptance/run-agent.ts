import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import type { JsonObject } from '../../src/contract/json.ts'
import { entries } from '../helpers/run-command.ts'
import type { Agent } from './agents.ts'
import { programOf } from './installed.ts'
import { openModelEndpoint, type Step } from './model-endpoint.ts'

const maxRunMs = 150_000

type Transport = 'stdio' | 'http'

export interface AgentFolder {
  readonly home: string
  readonly project: string
  /** Runs `toolpact` as the person at another terminal would. */
  toolpact(...args: string[]): Promise<string>
  /** Connects the agent and lets it run through a script. Gives what its model was offered and answered. */
  run(agent: Agent, transport: Transport, script: readonly Step[]): Promise<AgentRun>
  close(): Promise<void>
}

export interface AgentRun {
  /** The names of the tools of Toolpact that the model was offered first. */
  readonly offered: readonly string[]
  /** What the model read after each call, as JSON text. */
  readonly results: readonly string[]
  /** The whole last request, for pictures that clients send beside the result. */
  readonly conversation: string
  /** What the agent printed. */
  readonly printed: string
}

/** A person's home and project, with a config that they trust. */
export async function openAgentFolder(config: JsonObject): Promise<AgentFolder> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'toolpact-agent-')))
  const [home, project] = [join(folder, 'home'), join(folder, 'project')]
  for (const path of [home, project]) mkdirSync(path)
  writeFileSync(join(project, 'toolpact.json'), JSON.stringify(config))
  const children: ChildProcess[] = []
  // Only what a fresh login shell has, so that nothing of the machine's own settings is used.
  const environment = { PATH: `${dirname(process.execPath)}${delimiter}${process.env.PATH}`, HOME: home, LANG: 'C.UTF-8', TERM: 'dumb' } // biome-ignore format: one line

  async function toolpact(...args: string[]): Promise<string> {
    const options = { cwd: project, env: environment, timeout: 60_000 }
    const { stdout } = await promisify(execFile)(process.execPath, [entries.toolpact, ...args], options)
    return stdout
  }

  /** Starts something in a process group of its own. */
  function start(command: string, args: readonly string[], env: NodeJS.ProcessEnv) {
    const child = spawn(command, args, { cwd: project, env, stdio: ['ignore', 'pipe', 'pipe'], detached: true })
    children.push(child)
    const output = { text: '' }
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text) => {
        output.text += text
      })
    return { child, output }
  }

  async function serve(): Promise<string> {
    const { child, output } = start(process.execPath, [entries.toolpact, 'serve', '--port', '0', '--json'], environment)
    for (let tries = 0; tries < 600; tries++) {
      const [, url] = /"url": ?"([^"]+)"/.exec(output.text) ?? []
      if (url) return url
      if (child.exitCode !== null) break
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
    throw new Error(`toolpact serve did not start: ${output.text}`)
  }

  await toolpact('trust', '--yes')

  return {
    home,
    project,
    toolpact,
    async run(agent, transport, script) {
      await using model = await openModelEndpoint(script, agent)
      agent.prepare(home, model.url)
      const env = { ...environment, ...agent.toEnvironment(home, model.url) }
      const how = transport === 'http' ? ['--http', '--port', new URL(await serve()).port] : ['--stdio']
      const connect = [entries.toolpact, 'connect', agent.name, ...how, '--yes']
      await promisify(execFile)(process.execPath, connect, { cwd: project, env })
      const { child, output } = start(programOf(agent), agent.toArguments('Use the tools as told.', home), env)
      const hang = setTimeout(() => kill(child), maxRunMs)
      await once(child, 'close')
      clearTimeout(hang)
      kill(child)
      const { results = [], body = {} } = model.last ?? {}
      return {
        offered: (model.requests[0]?.tools ?? []).map(({ namespace = '', name }) => `${namespace}${name}`),
        results: results.map((result) => JSON.stringify(result)),
        conversation: JSON.stringify(body),
        printed: output.text,
      }
    },
    async close() {
      await Promise.all(children.map(end))
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

async function end(child: ChildProcess) {
  const closed = child.exitCode === null && child.signalCode === null ? once(child, 'close') : undefined
  kill(child)
  await closed
}

/** Agents leave processes behind: the whole group is ended. */
function kill(child: ChildProcess) {
  try {
    process.kill(-child.pid!, 'SIGKILL')
  } catch {
    // Nothing of it is left.
  }
}
