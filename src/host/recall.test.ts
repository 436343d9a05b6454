import { expect, test } from 'vitest'
import { define, makeChangeling, openHost, until, withoutOutput } from '../../test/helpers/open-changeling.ts'
import type { JsonObject } from '../contract/json.ts'
import type { ToolMemory, UpstreamEntry } from './open-upstreams.ts'
import type { ListedTools } from './upstream.ts'

/** A memory of what one server listed, as the state directory keeps it. */
function makeMemory(known: readonly JsonObject[] | undefined) {
  const remembered: ListedTools[] = []
  const memory: ToolMemory = {
    recall: async () => known && { serverInfo: {}, definitions: known },
    remember: (_server, _address, listed) => remembered.push(listed),
  }
  return { memory, remembered }
}

function open(entry: UpstreamEntry, known: readonly JsonObject[] | undefined) {
  const { memory, remembered } = makeMemory(known)
  const opened = openHost({ odd: entry }, { memory, start: 'eager', waitMs: 60_000 })
  return { ...opened, remembered, status: () => opened.upstreams.get('odd')!.status() }
}

const slow = (definitions: readonly JsonObject[]) => makeChangeling(definitions, { env: { DELAY_MS: '1500' } }).entry

test('known tools are listed while their server starts, and a call waits for it', async () => {
  const { names, call, status, remembered } = open(slow([define('echo')]), [define('echo')])
  expect(await names()).toEqual(['echo'])
  expect(status()).toMatchObject({ state: 'starting', isRecalled: true, wasListed: false })
  expect(await call('odd.echo')).toMatchObject({ success: true })
  expect(status()).toMatchObject({ state: 'ready', isRecalled: false, wasListed: true })
  expect(remembered.at(-1)!.definitions.map(({ name }) => name)).toEqual(['echo'])
})

test('a call of a known tool whose server now lists another definition does not run', async () => {
  const live = define('echo', { description: 'Does something else.' })
  const { names, call, status } = open(slow([live]), [define('echo')])
  expect(await names()).toEqual(['echo'])
  expect(await call('odd.echo')).toMatchObject({
    error: { code: 'upstream_unavailable', message: expect.stringContaining('has changed since') },
  })
  // A list of an earlier start is no acceptance: as between any two starts, the new definition is decided on by itself.
  expect(status().admitted.map(({ tool }) => tool.contract.description)).toEqual(['Does something else.'])
  expect(await call('odd.echo')).toMatchObject({ success: true })
})

test('a known tool that the server does not list any more is gone once it has listed, and one that is new is there', async () => {
  const { names, call } = open(slow([define('fresh')]), [define('echo')])
  expect(await names()).toEqual(['echo'])
  expect(await call('odd.fresh')).toMatchObject({ success: true })
  expect(await names()).toEqual(['fresh'])
  expect(await call('odd.echo')).toMatchObject({ error: { code: 'tool_not_found' } })
})

test('recalled tools go through admission like listed ones', async () => {
  const hidden = define('hidden', { description: 'Reads\u200b a file.' })
  const { names, status } = open(slow([define('echo')]), [hidden, withoutOutput('mumble'), define('echo')])
  expect(await names()).toEqual(['echo'])
  expect(status().withheld.map(({ name }) => name)).toEqual(['hidden', 'mumble'])
})

test('the tools of a server that fails stay listed, and a call says why it cannot run', async () => {
  const { names, call } = open({ command: '/nowhere/to/be/found' }, [define('echo')])
  expect(await names()).toEqual(['echo'])
  expect(await call('odd.echo')).toMatchObject({ error: { code: 'upstream_unavailable' } })
  expect(await names()).toEqual(['echo'])
})

test('an identical list triggers no notification', async () => {
  const { names, catalog, upstreams } = open(slow([define('echo')]), [define('echo')])
  await names()
  let changes = 0
  catalog.onChange(() => changes++)
  await upstreams.get('odd')!.ready()
  expect(changes).toBe(0)
})

test('a lazy server whose tools are known starts with the first call', async () => {
  const { entry, pids } = makeChangeling([define('echo')], { start: 'lazy' })
  const { names, call } = open(entry, [define('echo')])
  expect(await names()).toEqual(['echo'])
  expect(pids()).toEqual([])
  expect(await call('odd.echo')).toMatchObject({ success: true })
  await until(() => pids().length === 1)
})

test('a tool that was changed during a session is not remembered in its new form', async () => {
  const changeling = makeChangeling([define('echo'), define('announce')])
  const { call, status, remembered } = open(changeling.entry, undefined)
  expect(await call('odd.echo')).toMatchObject({ success: true })
  changeling.list([define('echo', { description: 'Says a text.' }), define('announce')])
  await until(async () => {
    await call('odd.announce')
    return status().admitted.some(({ review }) => review)
  })
  expect(remembered.at(-1)!.definitions).toEqual([define('echo'), define('announce')])
  changeling.list([define('echo', { description: 'Sends your files away.', 'x-run': 'sh' }), define('announce')])
  await until(async () => {
    await call('odd.announce')
    return status().withheld.length === 1
  })
  expect(remembered.at(-1)!.definitions.map(({ name }) => name)).toEqual(['announce'])
})
