import { EventEmitter } from 'node:events'
import type { ServerResponse } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import type { HttpSite } from '../../../surfaces/http/open-http-server.ts'
import { createInstances } from './instances.ts'

/** A response that ends when it is told to. */
function openResponse() {
  const response = Object.assign(new EventEmitter(), { closed: false })
  return {
    response: response as unknown as ServerResponse,
    end() {
      response.closed = true
      response.emit('close')
    },
  }
}

function open({ maxOpen = 2, idleMs = 3_600_000 } = {}) {
  const log: string[] = []
  const busy = new Set<string>()
  let failing = false
  const instances = createInstances({
    maxOpen,
    idleMs,
    async open(name) {
      log.push(`open ${name}`)
      await Promise.resolve()
      if (failing) throw new Error('no')
      return {
        site: { surfaces: [], credentials: { name } } as unknown as HttpSite,
        metrics: async () => name,
        isBusy: async () => busy.has(name),
        async close() {
          await new Promise((resolve) => setTimeout(resolve, 5))
          log.push(`close ${name}`)
        },
      }
    },
  })
  onTestFinished(() => instances.close(0))
  async function use(name: string) {
    const { response, end } = openResponse()
    const site = await instances.enter(name, response)
    return { site, end }
  }
  return {
    ...{ instances, log, busy, use },
    fail: (isFailing: boolean) => {
      failing = isFailing
    },
  }
}

test('a tenant is opened once, however many requests come at the same time', async () => {
  const { use, log } = open()
  const used = await Promise.all([use('a'), use('a'), use('a')])
  expect(new Set(used.map(({ site }) => site)).size).toBe(1)
  expect(log).toEqual(['open a'])
})

test('beyond the limit, the one that was idle longest makes room, and none that is in use', async () => {
  const { use, log, busy } = open()
  const [a, b] = [await use('a'), await use('b')]
  expect((await use('c')).site).toBeUndefined()
  b.end()
  a.end()
  const c = await use('c')
  expect(c.site).toBeDefined()
  expect(log).toEqual(['open a', 'open b', 'close b', 'open c'])
  busy.add('a')
  expect((await use('b')).site).toBeUndefined()
  busy.delete('a')
  expect((await use('b')).site).toBeDefined()
  expect(log.slice(4)).toEqual(['close a', 'open b'])
})

test('many requests for many tenants never open more than the limit', async () => {
  const { use, log } = open({ maxOpen: 3 })
  const count = (word: string) => log.filter((line) => line.startsWith(word)).length
  let most = 0
  async function work(worker: number) {
    for (let round = 0; round < 20; round++) {
      const { site, end } = await use(`t${(worker * 7 + round) % 10}`)
      most = Math.max(most, count('open') - count('close'))
      await Promise.resolve()
      if (site) end()
    }
  }
  await Promise.all(Array.from({ length: 8 }, (_, worker) => work(worker)))
  expect(most).toBeLessThanOrEqual(3)
  expect(count('close')).toBeGreaterThan(3)
})

/** Tries until there is a value, for some seconds. */
async function until<Value>(find: () => Value | Promise<Value>): Promise<Value> {
  for (let tries = 0; ; tries++) {
    const found = await find()
    if (found || tries === 250) return found
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

test('an idle tenant is closed, unless it does something that no request waits for', async () => {
  const { use, log, busy, instances } = open({ idleMs: 20 })
  busy.add('b')
  for (const name of ['a', 'b']) (await use(name)).end()
  await until(() => log.includes('close a'))
  expect(log).toContain('close a')
  expect(log).not.toContain('close b')
  expect((await instances.list()).map(([name]) => name)).toEqual(['b'])
})

test('one that cannot be opened is tried again a little later', async () => {
  const { use, fail, log } = open({ maxOpen: 1 })
  fail(true)
  for (let tries = 0; tries < 3; tries++) await expect(use('a')).rejects.toThrow('no')
  expect(log).toEqual(['open a'])
  fail(false)
  const found = await until(() => use('a').catch(() => undefined))
  expect(found?.site).toBeDefined()
})

test('closing closes all, and opens none any more', async () => {
  const { use, instances, log } = open()
  await Promise.all([use('a'), use('b')])
  await instances.close(0)
  expect(log.toSorted()).toEqual(['close a', 'close b', 'open a', 'open b'])
  expect((await use('c')).site).toBeUndefined()
})
