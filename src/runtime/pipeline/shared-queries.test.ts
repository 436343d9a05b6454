import { expect, test } from 'vitest'
import { openMemoryStorage } from '../storage/memory/memory.ts'
import { createQueries, startQuery } from './queries.ts'
import { takeShared } from './shared-queries.ts'
import type { Trace } from './trace.ts'

const ada = { name: 'ada' }
const { replies } = openMemoryStorage()

/** As in a process of its own, which remembers nothing of the others. */
async function take(id: string, inputDigest = 'input', caller: Trace['caller'] = ada) {
  const query = createQueries().find(id, caller)
  const trace = { caller, toolId: 'test.echo', inputDigest, query } as Pick<Trace, 'caller' | 'toolId' | 'inputDigest' | 'query'> // biome-ignore format: one line
  await takeShared(replies, { kind: 'named', query }, trace)
  return trace.query!
}

test('a query makes one call in any number of processes', async () => {
  const all = await Promise.allSettled(Array.from({ length: 10 }, () => take('one')))
  expect(all.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  await expect(take('one')).rejects.toMatchObject({ data: { code: 'single_step' } })
})

test('callers have queries of their own', async () => {
  await take('shared')
  await take('shared', 'input', { name: 'eve' })
  await expect(take('shared')).rejects.toThrow()
})

test('a call that was put off may be repeated in another process, once at a time, and no other call', async () => {
  const first = await take('later')
  await first.putOff!()
  await expect(take('later', 'other input')).rejects.toThrow()
  const repeated = await Promise.allSettled([take('later'), take('later'), take('later')])
  const [second, ...others] = repeated.filter((each) => each.status === 'fulfilled')
  expect(others).toHaveLength(0)
  await second!.value.putOff!()
  await take('later')
  await expect(take('later')).rejects.toThrow()
})

test('a session is one query, and calls without one are those of the caller', async () => {
  const inSession = (session?: string) => {
    const caller = { ...ada, ...(session !== undefined && { session }) }
    const trace = { caller, toolId: 'test.echo', inputDigest: 'input', query: undefined }
    return takeShared(replies, { kind: 'session', query: startQuery() }, trace)
  }
  await inSession('a')
  await inSession('b')
  await inSession()
  for (const session of ['a', 'b', undefined]) await expect(inSession(session)).rejects.toThrow()
})

test('a query without a name is known to its process alone, and a missing one is refused', async () => {
  const trace = { caller: ada, toolId: 'test.echo', inputDigest: 'input', query: undefined }
  const query = startQuery()
  await takeShared(replies, { kind: 'named', query }, trace)
  await takeShared(replies, { kind: 'named', query }, trace)
  await expect(takeShared(replies, { kind: 'missing' }, trace)).rejects.toThrow()
})
