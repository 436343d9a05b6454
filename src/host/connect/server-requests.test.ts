import { expect, test } from 'vitest'
import type { JsonObject } from '../../contract/json.ts'
import type { Peer } from './client.ts'
import { ServerRequests } from './server-requests.ts'

const ask = { method: 'elicitation/create', params: { message: 'Well?' } }

/** `answer`: undefined leaves every question open. */
function open(answer?: JsonObject) {
  const sent: JsonObject[] = []
  const noise: string[] = []
  const signals: AbortSignal[] = []
  const peer: Peer = {
    owner: 'ada',
    capabilities: {},
    answer(_requests, signal) {
      signals.push(signal)
      return answer ? Promise.resolve({ answer }) : new Promise(() => {})
    },
  }
  const requests = new ServerRequests({
    roots: undefined,
    findPeer: (answering) => (answering === 1 ? peer : undefined),
    send: (text) => sent.push(JSON.parse(text)),
    onNoise: (text) => noise.push(text),
  })
  return { requests, sent, noise, signals }
}

test('a question is answered once, and only for a call in flight', async () => {
  const { requests, sent } = open({ action: 'decline' })
  await requests.take('a', ask, 1)
  await requests.take('b', ask, 2)
  await requests.take('c', { method: 'roots/list', params: {} }, 1)
  expect(sent).toMatchObject([
    { id: 'a', result: { action: 'decline' } },
    { id: 'b', error: { code: -32601, message: expect.stringContaining('no call in flight') } },
    { id: 'c', error: { code: -32601 } },
  ])
})

test('a flood of questions is refused, a repeated id is ignored, and a withdrawn one ends', async () => {
  const { requests, sent, noise, signals } = open()
  for (let id = 0; id < 18; id++) requests.take(id, ask, 1)
  requests.take(0, ask, 1)
  await new Promise(setImmediate)
  expect(sent.map(({ id }) => id)).toEqual([16, 17])
  expect(noise.join()).toContain('repeated the id')
  expect([requests.cancel(3), requests.cancel(99)]).toEqual([true, false])
  expect(signals.map(({ aborted }) => aborted).indexOf(true)).toBe(3)
  requests.end()
  expect(signals.every(({ aborted }) => aborted)).toBe(true)
})
