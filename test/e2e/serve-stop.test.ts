import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { until, useServeFolders } from '../helpers/open-serve.ts'

const openServeFolder = useServeFolders()

const runs = (command: string) => ({ body: JSON.stringify({ command, timeout_seconds: 120 }) })
const terminal = '/v1/tools/workspace.run_in_terminal'

function isRunning(command: string): boolean {
  return execFileSync('ps', ['-A', '-o', 'args'], { encoding: 'utf8' }).split('\n').includes(command)
}

test.concurrent('on SIGTERM, a running call finishes and is answered', async () => {
  const { start, run, folder } = openServeFolder()
  const { send, kill, exited, untilTold } = await start(['--yes'])
  const call = send(terminal, runs('touch begun; sleep 1.5; echo finished'))
  await until(() => existsSync(join(folder, 'begun')))
  kill('SIGTERM')
  await untilTold('Stopping: calls have 10 s to finish.')
  await expect(send('/healthz')).rejects.toThrow('ECONNREFUSED')
  const { status, text } = await call
  expect(status).toBe(200)
  expect(text).toContain('finished')
  expect(await exited).toBe(143)
  const [record] = (await run(['ledger', '--json'])).stdout.split('\n')
  expect(JSON.parse(record!)).toMatchObject({ tool: 'workspace.run_in_terminal', state: 'succeeded' })
  expect((await run(['ledger', '--verify'])).code).toBe(0)
})

test.concurrent('a call that does not finish in time is ended with its processes, and the ledger says how', async () => {
  const { start, run, folder } = openServeFolder()
  const { send, kill, exited } = await start(['--yes'])
  // Found by its command line: in a sandbox its pid belongs to another namespace.
  const sleep = `sleep 600.${process.pid}`
  const call = send(terminal, runs(`touch begun; ${sleep}; true`)).catch((error: Error) => error)
  await until(() => existsSync(join(folder, 'begun')))
  await until(() => isRunning(sleep))
  kill('SIGINT')
  expect(await exited).toBe(130)
  const answer = await call
  if (!(answer instanceof Error)) expect(answer.json.code).toBe('cancelled')
  const [record] = (await run(['ledger', '--json'])).stdout.split('\n')
  expect(JSON.parse(record!)).toMatchObject({
    tool: 'workspace.run_in_terminal',
    state: 'failed',
    errorCode: 'cancelled',
  })
  expect(isRunning(sleep)).toBe(false)
})

test.concurrent('a tool that ignores being cancelled does not keep the server', async () => {
  const { start, run } = openServeFolder()
  const { send, kill, exited, untilTold } = await start([], { entry: 'odd' })
  const call = send('/v1/tools/odd.stay', { body: '{}' }).catch(() => undefined)
  await untilTold('waiting')
  kill('SIGTERM')
  expect(await exited).toBe(143)
  await call
  const [record] = (await run(['ledger', '--json'])).stdout.split('\n')
  expect(JSON.parse(record!)).toMatchObject({ tool: 'odd.stay', state: 'failed', errorCode: 'cancelled' })
})

test.concurrent('asked twice, it ends at once', async () => {
  const { start } = openServeFolder()
  const { send, kill, exited, untilTold, output } = await start([], { entry: 'odd' })
  const call = send('/v1/tools/odd.stay', { body: '{}' }).catch((error: Error) => error)
  await untilTold('waiting')
  kill('SIGTERM')
  await untilTold('Stopping')
  kill('SIGTERM')
  expect(await exited).toBe(143)
  expect(await call).toBeInstanceOf(Error)
  expect(output.stderr).toContain('Press Ctrl-C again to exit at once.')
})

test.concurrent('idle connections and clients that only listen do not keep it', async () => {
  const { start } = openServeFolder()
  const { url, kill, exited, send } = await start()
  const { Agent, get } = await import('node:http')
  const agent = new Agent({ keepAlive: true })
  await new Promise((resolve) => get(`${url}/healthz`, { agent }, (response) => response.resume().on('end', resolve)))
  expect((await send('/healthz')).status).toBe(200)
  kill('SIGTERM')
  expect(await exited).toBe(143)
  agent.destroy()
})
