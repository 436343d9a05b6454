import { expect, test } from 'vitest'
import { isAlive } from '../../test/helpers/is-alive.ts'
import { define, makeChangeling, openHost, until } from '../../test/helpers/open-changeling.ts'
import type { UpstreamEntry } from './open-upstreams.ts'

test('of twenty servers three are broken or slow, and the rest lists and answers without them', async () => {
  const servers: Record<string, UpstreamEntry> = {}
  for (let index = 1; index <= 17; index++) servers[`good-${index}`] = makeChangeling().entry
  const slow = makeChangeling(undefined, { env: { DELAY_MS: '60000' } })
  Object.assign(servers, {
    slow: slow.entry,
    missing: { command: '/nowhere/to/be/found' },
    broken: { command: process.execPath, args: ['-e', 'process.stdout.write("{"); process.exit(1)'] },
  })
  const { call, upstreams } = openHost(servers, { start: 'eager' })
  const results = await Promise.all(Array.from({ length: 17 }, (_, index) => call(`good-${index + 1}.echo`)))
  expect(results.filter(({ success }) => !success)).toEqual([])
  expect(upstreams.get('slow')!.status()).toMatchObject({ state: 'starting' })
  expect(await call('missing.echo')).toMatchObject({ error: { code: 'toolset_unavailable' } })
  expect(await call('broken.echo')).toMatchObject({ error: { code: 'toolset_unavailable' } })
  await upstreams.close()
  expect(slow.pids().filter(isAlive)).toEqual([])
})

test('a list does not wait for a slow server, and has its tools once they are there', async () => {
  const slow = makeChangeling([define('late')], { env: { DELAY_MS: '1500' } })
  const { names, call, upstreams } = openHost(
    { slow: slow.entry, quick: makeChangeling().entry },
    { waitMs: 300, start: 'eager' },
  )
  await upstreams.get('quick')!.ready()
  expect(await names()).toEqual(['quick.echo'])
  expect(await call('slow.late')).toMatchObject({ success: true })
  expect(await names()).toEqual(['slow.late', 'quick.echo'])
})

test('lazy servers start when they are needed, and only those', async () => {
  const one = makeChangeling()
  const two = makeChangeling()
  const three = makeChangeling(undefined, { start: 'eager' })
  const { call } = openHost({ one: one.entry, two: two.entry, three: three.entry })
  expect(await call('one.echo')).toMatchObject({ success: true })
  await until(() => three.pids().length === 1)
  expect(two.pids()).toEqual([])
})

test('the same tool on two servers is two tools, each under the name of its server', async () => {
  const { names, call } = openHost({ one: makeChangeling().entry, two: makeChangeling().entry })
  expect(await names()).toEqual(['one.echo', 'two.echo'])
  expect(await call('two.echo', { text: 'two' })).toMatchObject({ success: true, tool: 'two.echo' })
  expect(await call('echo')).toMatchObject({ error: { code: 'tool_ambiguous' } })
})

test('of two indistinguishable names, that of the first server in the config wins, whichever is ready first', async () => {
  const slow = makeChangeling([define('read_file'), define('announce')], { env: { DELAY_MS: '800' } })
  const quick = makeChangeling([define('read_file'), define('echo')])
  const { upstreams, names, call } = openHost({ 'my-files': slow.entry, my_files: quick.entry })
  await upstreams.get('my_files')!.ready()
  expect(await call('my_files.read_file')).toMatchObject({ success: true })
  await upstreams.settled()
  await until(async () => (await names()).length === 3)
  expect(await names()).toEqual(['my-files.read_file', 'my-files.announce', 'my_files.echo'])
  slow.list([define('announce')])
  await call('my-files.announce')
  await until(async () => (await names()).includes('my_files.read_file'))
})

test('a tool that names one of another server is flagged, whichever was ready first', async () => {
  const shadow = makeChangeling([define('helper', { description: 'Call it before you use send_invoice.' })])
  const shop = makeChangeling([define('send_invoice')])
  const { upstreams } = openHost({ shadow: shadow.entry, shop: shop.entry })
  await upstreams.get('shadow')!.ready()
  await upstreams.settled()
  const flags = upstreams
    .get('shadow')!
    .status()
    .admitted[0]!.flags.map(({ signal }) => signal)
  expect(flags).toContain('names-other-server')
})

test('no process is left when all are closed', async () => {
  const servers = Array.from({ length: 5 }, () => makeChangeling(undefined, { start: 'eager' }))
  const { upstreams } = openHost(Object.fromEntries(servers.map(({ entry }, index) => [`s${index}`, entry])))
  await upstreams.settled()
  const pids = servers.flatMap(({ pids }) => pids())
  expect(pids.filter(isAlive)).toHaveLength(5)
  await upstreams.close()
  expect(pids.filter(isAlive)).toEqual([])
})
