/**
 * Runs command lines one after another, each with its own folder, environment and input, and sends back the output and
 * exit code. Reusing a process saves the startup time, which dominates the cost of a command.
 */
import { Readable, Writable } from 'node:stream'
import { main } from '../../src/cli/main.ts'
import { oddDefaults } from '../data/odd-tools.ts'

export interface Line {
  readonly args: readonly string[]
  readonly cwd: string
  readonly env: NodeJS.ProcessEnv
  readonly input: string
  /** Use the command of test/processes/odd-command.ts. */
  readonly odd?: boolean
}

export interface Ended {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

const { exit } = process
process.on('message', async (line: Line) => process.send!(await run(line)))
process.on('disconnect', () => exit())

async function run({ args, cwd, env, input, odd }: Line): Promise<Ended> {
  const listeners = (['SIGINT', 'SIGTERM', 'SIGHUP'] as const).map((name) => ({
    name,
    before: process.listeners(name),
  }))
  const output = { stdout: '', stderr: '' }
  let code = 0
  process.chdir(cwd)
  for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name]
  Object.assign(process.env, env)
  process.argv.splice(2, Number.POSITIVE_INFINITY, ...args)
  set('stdin', Readable.from(input === '' ? [] : [Buffer.from(input)], { objectMode: false }))
  for (const name of ['stdout', 'stderr'] as const) {
    set(
      name,
      new Writable({
        decodeStrings: false,
        write(text, _encoding, done) {
          output[name] += text
          done()
        },
      }),
    )
  }
  process.exit = ((given: number) => {
    code = given
  }) as typeof exit
  try {
    await main(args, odd ? oddDefaults : {})
  } finally {
    process.exit = exit
    for (const { name, before } of listeners)
      for (const listener of process.listeners(name)) if (!before.includes(listener)) process.off(name, listener)
  }
  return { code, ...output }
}

function set(name: 'stdin' | 'stdout' | 'stderr', stream: Readable | Writable): void {
  Object.defineProperty(process, name, { value: stream, configurable: true })
}
