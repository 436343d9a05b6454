import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { isSameProcess, processId } from '../../src/toolsets/mlx/capability/model-servers/process-id.ts'
import { makeFolder } from './open-test-pipeline.ts'
import { entries } from './run-command.ts'

/** The command that starts test/processes/model-server.ts. */
export const modelServerCommand = [
  process.execPath,
  entries.modelServer,
  ...['--model', '{model}', '--host', '{host}', '--port', '{port}'],
]

/** Tracks the model servers started with this environment, and ends them after the test. */
export function watchServers() {
  const pids = join(makeFolder(), 'pids')
  const read = () => (existsSync(pids) ? readFileSync(pids, 'utf8').trim().split('\n').map(Number) : [])
  const living = () => read().filter((pid) => isSameProcess(processId(pid)))
  onTestFinished(() => {
    for (const pid of living()) process.kill(pid, 'SIGKILL')
  })
  return {
    environment: { MODEL_SERVER_PIDS: pids },
    /** Number of started servers, including their children. */
    started: () => read().length,
    /** Servers that are still running. */
    living,
  }
}
