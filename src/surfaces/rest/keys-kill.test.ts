import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { expect, onTestFinished, test } from 'vitest'
import { makeFolder } from '../../../test/helpers/open-test-pipeline.ts'
import { entries } from '../../../test/helpers/run-command.ts'

test('a call whose process was killed while it ran is not repeated by the next one', async () => {
  const state = makeFolder()
  const first = await start(state)
  const lost = post(first.url, 'wait').catch(() => 'lost')
  expect(await first.next()).toBe('running')
  first.child.kill('SIGKILL')
  expect(await lost).toBe('lost')

  const second = await start(state)
  expect(await post(second.url, 'wait')).toMatchObject({ status: 409, code: 'idempotency_under_way' })
  expect(await post(second.url, 'end')).toMatchObject({ status: 422, code: 'idempotency_key_reused' })
  expect(await post(second.url, 'end', 'another-key')).toEqual({ said: 'done' })
  expect(await second.next()).toBe('running')
})

test('two processes that share a state run a call with a key once', async () => {
  const state = makeFolder()
  const servers = await Promise.all([start(state), start(state)])
  const answers = await Promise.all(Array.from({ length: 20 }, (_, index) => post(servers[index % 2]!.url, 'end')))
  const done = answers.filter((answer) => answer.said === 'done')
  expect(done.length).toBeGreaterThan(0)
  for (const answer of answers) if (!done.includes(answer)) expect(answer).toMatchObject({ status: 409 })
  const [first, second] = servers
  first!.child.kill('SIGKILL')
  second!.child.kill('SIGKILL')
  expect([...(await first!.rest()), ...(await second!.rest())]).toEqual(['running'])
})

async function start(state: string) {
  const child = spawn(process.execPath, [entries.restKill, state], {
    stdio: ['ignore', 'pipe', 'inherit'],
    timeout: 60_000,
  })
  onTestFinished(async () => {
    if (child.exitCode === null && child.signalCode === null && child.kill('SIGKILL')) await once(child, 'exit')
  })
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]()
  const next = async () => (await lines.next()).value as string
  const rest = async () => {
    const said: string[] = []
    for (let line = await lines.next(); !line.done; line = await lines.next()) said.push(line.value)
    return said
  }
  return { child, url: await next(), next, rest }
}

async function post(url: string, text: string, key = 'key'): Promise<{ [member: string]: unknown }> {
  const headers = { 'content-type': 'application/json', 'idempotency-key': key }
  const response = await fetch(`${url}/v1/tools/write`, { method: 'POST', headers, body: JSON.stringify({ text }) })
  return (await response.json()) as { [member: string]: unknown }
}
