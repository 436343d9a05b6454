import { expect, test } from 'vitest'
import type { JsonObject } from '../../src/contract/json.ts'
import { eras, openAsking } from '../helpers/open-asking.ts'
import { until } from '../helpers/open-changeling.ts'
import { initialize, modernMeta, openMcpStdio } from '../helpers/open-mcp.ts'

// biome-ignore lint/suspicious/noExplicitAny: a test knows what it asked for
type Any = any

const uri = 'toolpact://desk/demo://a'
const own = 'demo://a'

/** A further client of the same host, with the notifications that it got. */
async function openListener({ toolpact }: Any, era: 'legacy' | 'modern') {
  const mcp = await openMcpStdio({ toolpact })
  const got: Any[] = []
  const answers = new Map<number, (message: Any) => void>()
  const read = async () => {
    for (;;) {
      const message = await mcp.next()
      answers.get(message.id)?.(message)
      if (message.method !== undefined) got.push(message)
    }
  }
  if (era === 'legacy') {
    mcp.send(initialize('2025-11-25'))
    await mcp.next()
  }
  read().catch(() => {})
  let id = 0
  const ask = (method: string, params: JsonObject): Promise<Any> => {
    const own = ++id
    const _meta = era === 'modern' ? { _meta: modernMeta() } : {}
    mcp.send({ jsonrpc: '2.0', id: own, method, params: { ...params, ..._meta } })
    return new Promise((resolve) => answers.set(own, resolve))
  }
  let listening = 0
  return {
    got,
    updates: () =>
      got.filter(({ method }) => method === 'notifications/resources/updated').map(({ params }) => params.uri),
    announced: (kind: string) => got.some(({ method }) => method === `notifications/${kind}/list_changed`),
    async subscribe(...uris: string[]) {
      if (era === 'legacy') return void (await Promise.all(uris.map((uri) => ask('resources/subscribe', { uri }))))
      const notifications = { resourceSubscriptions: uris, promptsListChanged: true, resourcesListChanged: true }
      ask('subscriptions/listen', { notifications })
      listening = id
      await until(() => got.some(({ method }) => method === 'notifications/subscriptions/acknowledged'))
    },
    async unsubscribe(...uris: string[]) {
      if (era === 'legacy') return void (await Promise.all(uris.map((uri) => ask('resources/unsubscribe', { uri }))))
      mcp.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: listening } })
    },
  }
}

test.each(eras)('a $client client is told of a changed resource of a $upstream server', async (mixed) => {
  const desk = await openAsking({ ...mixed, client: 'modern' })
  await desk.call('capabilities')
  const [one, other] = [await openListener(desk, mixed.client), await openListener(desk, mixed.client)]
  await one.subscribe(uri)
  await other.subscribe(uri)
  await until(async () => (await desk.call('subscribed')).includes(own))
  // Shared: the server is asked once.
  expect((await desk.call('subscribed')).filter((entry: string) => entry === `+${own}`).length).toBe(mixed.upstream === 'legacy' ? 1 : 0) // biome-ignore format: one line
  await desk.call('change')
  await until(() => one.updates().length > 0 && other.updates().length > 0)
  expect([...one.updates(), ...other.updates()]).toEqual([uri, uri])

  await one.unsubscribe(uri)
  await desk.call('change')
  await until(() => other.updates().length === 2)
  expect(one.updates()).toHaveLength(1)
  // No one is left.
  await other.unsubscribe(uri)
  await until(async () => !(await desk.call('subscribed')).includes(own))
})

test.each(eras)('a flood of updates of a $upstream server is a few for a $client client', async (mixed) => {
  const desk = await openAsking({ ...mixed, client: 'modern' })
  await desk.call('capabilities')
  const one = await openListener(desk, mixed.client)
  await one.subscribe(uri)
  await until(async () => (await desk.call('subscribed')).includes(own))
  await desk.call('burst')
  await until(() => one.updates().length > 0)
  await desk.call('change')
  expect(one.updates().length).toBeLessThan(50)
})

test.each(eras)('subscriptions of a $client client survive a restart of a $upstream server', async (mixed) => {
  const desk = await openAsking({ ...mixed, client: 'modern' })
  await desk.call('capabilities')
  const one = await openListener(desk, mixed.client)
  await one.subscribe(uri)
  await desk.toolpact.upstreams.restart('desk')
  await until(async () => (await desk.call('subscribed')).includes(own))
  const before = one.updates().length
  await desk.call('change')
  await until(() => one.updates().length > before)
})

test.each(eras)('a $client client is told of a new prompt of a $upstream server once it is admitted', async (mixed) => {
  const desk = await openAsking({ ...mixed, client: 'modern' })
  await desk.call('capabilities')
  const one = await openListener(desk, mixed.client)
  await one.subscribe(uri)
  await desk.call('grow')
  await until(() => one.announced('prompts'))
  const { prompts } = await desk.ask('prompts/list')
  expect(prompts.map(({ name }: JsonObject) => name)).toContain('more_1')
})
