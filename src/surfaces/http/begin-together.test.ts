import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { setImmediate as turn } from 'node:timers/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import { lookOnce } from '../../contract/arrived-together.ts'
import { createAnswer } from './answer.ts'
import { createTogether } from './begin-together.ts'
import { noToken } from './credentials.ts'
import { createHostCheck } from './host-check.ts'
import { toLimits } from './http-limits.ts'

test('requests of one turn begin together, those of the next later', async () => {
  const together = createTogether(() => false)
  const began: string[] = []
  const begin = (name: string) => together(() => void began.push(name))
  const all = [begin('first'), begin('second')]
  await Promise.resolve()
  expect(began).toEqual([])
  await turn()
  expect(began).toEqual(['first', 'second'])
  all.push(begin('third'))
  await Promise.resolve()
  expect(began).toHaveLength(2)
  await Promise.all(all)
  expect(began).toEqual(['first', 'second', 'third'])
})

test('32 requests wait for no more', async () => {
  const together = createTogether(() => false)
  const began: number[] = []
  const all = Array.from({ length: 33 }, (_, index) => together(() => void began.push(index)))
  expect(began).toEqual(Array.from({ length: 32 }, (_, index) => index))
  await all[32]
  expect(began).toHaveLength(33)
})

test('a request that is alone does not wait', () => {
  let others = 0
  const together = createTogether(() => others === 0)
  const begin = vi.fn()
  expect(together(begin)).toBeUndefined()
  expect(begin).toHaveBeenCalledOnce()
  others = 1
  expect(together(begin)).toBeInstanceOf(Promise)
  expect(begin).toHaveBeenCalledOnce()
})

test('one that fails at once fails alone', async () => {
  const together = createTogether(() => false)
  const begin = vi.fn()
  const failed = together(() => {
    throw new Error('no')
  })
  const other = together(begin)
  await expect(failed).rejects.toThrow('no')
  await other
  expect(begin).toHaveBeenCalledOnce()
})

test('what is looked up for those that begin together is looked up once', async () => {
  const together = createTogether(() => false)
  const look = vi.fn(() => 'version')
  const begin = () => void lookOnce('rules', look)
  await Promise.all([together(begin), together(begin)])
  expect(look).toHaveBeenCalledOnce()
  await together(begin)
  expect(look).toHaveBeenCalledTimes(2)
})

test('a client that disconnects before its request begins is not answered', async () => {
  const handle = vi.fn()
  const [waiting, begun, closed, answered] = Array.from({ length: 4 }, () => Promise.withResolvers<void>()) as [Gate, Gate, Gate, Gate] // biome-ignore format: one line
  const server = createServer((request, response) => {
    response.on('close', closed.resolve)
    const hostCheck = createHostCheck({ host: '127.0.0.1', address: '127.0.0.1', port: toPort() })
    const answer = createAnswer({
      ...{ hostCheck, routes: [{ methods: ['POST'], path: '/', handle }] },
      ...{ credentials: noToken, limits: toLimits({}), allowsPublic: false },
      ...{ admit: () => undefined, openRoom: () => () => true },
      beginTogether(begin) {
        waiting.resolve()
        return begun.promise.then(begin)
      },
    })
    answer(request, response).then(answered.resolve)
  })
  const toPort = () => (server.address() as AddressInfo).port
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const client = connect(toPort(), '127.0.0.1')
  const fields = `Host: 127.0.0.1:${toPort()}\r\nContent-Type: application/json\r\nContent-Length: 2`
  client.write(`POST / HTTP/1.1\r\n${fields}\r\n\r\n{}`)
  await waiting.promise
  client.destroy()
  await closed.promise
  begun.resolve()
  await answered.promise
  expect(handle).not.toHaveBeenCalled()
})

type Gate = PromiseWithResolvers<void>
