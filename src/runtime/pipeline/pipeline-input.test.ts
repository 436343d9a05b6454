import { expect, test } from 'vitest'
import { defineEcho, openTestPipeline, yes } from '../../../test/helpers/open-test-pipeline.ts'
import type { CallFailure } from '../../contract/call-result.ts'
import { digest } from '../../contract/digest.ts'
import type { JsonObject } from '../../contract/json.ts'

test('whenever a caller changes its input, the tool gets what was checked and recorded', async () => {
  const seen = new Set<string>()
  for (let turns = 0; turns < 40; turns++) {
    const { call, runs, records } = openTestPipeline([defineList()])
    const input = { items: ['a', 'b'] }
    const calling = call('test.list', input)
    for (let turn = 0; turn < turns; turn++) await undefined
    input.items.push(5 as never)
    const result = await calling
    if (result.success) {
      expect(runs).toEqual([{ items: ['a', 'b'], order: 'up' }])
      expect((await records(result))[0]).toMatchObject({ input: runs[0], inputDigest: digest(runs[0]!) })
    } else {
      expect(result.error.code).toBe('invalid_input')
      expect(runs).toEqual([])
    }
    seen.add(result.success ? 'success' : 'refused')
  }
  expect(seen).toContain('success')
})

test('the input of a call of a loaded tool is copied before the call returns', async () => {
  const { call, runs } = openTestPipeline([defineList()])
  await call('test.list', { items: [] })
  const input = { items: ['a', 'b'] }
  const calling = call('test.list', input)
  input.items.length = 0
  expect(await calling).toMatchObject({ success: true })
  expect(runs.at(-1)).toEqual({ items: ['a', 'b'], order: 'up' })
})

test('what a tool does to its input reaches neither the caller nor the ledger', async () => {
  const { call, records } = openTestPipeline([
    defineList(({ items }) => {
      ;(items as string[]).length = 0
      return { count: 0 }
    }),
  ])
  const input = { items: ['a'] }
  const result = await call('test.list', input)
  expect(input).toEqual({ items: ['a'] })
  expect((await records(result))[0]).toMatchObject({ input: { items: ['a'], order: 'up' } })
})

test('what an approver does to the input does not reach the tool', async () => {
  const { call, runs, records } = openTestPipeline([defineEcho({ risk: 'safe_write' })], {
    approver: async (request, signal) => {
      request.input.text = 'changed'
      return yes(request, signal)
    },
  })
  const result = await call('test.echo', { text: 'a' })
  expect(runs).toEqual([{ text: 'a', times: 1 }])
  expect((await records(result))[0]).toMatchObject({ input: { text: 'a', times: 1 } })
})

test('a tool gets defaults of its own at each call', async () => {
  const seen: unknown[] = []
  const input = {
    type: 'object',
    additionalProperties: false,
    properties: { tags: { type: 'array', items: { type: 'string' }, default: ['new'] } },
  } as const
  const { call } = openTestPipeline([
    defineEcho({ input }, ({ tags }) => {
      seen.push([...(tags as string[])])
      ;(tags as string[]).push('changed')
      return { said: '' }
    }),
  ])
  await call('test.echo', {})
  await call('test.echo', {})
  expect(seen).toEqual([['new'], ['new']])
})

test('an unknown key is refused by name, with the nearest that there is', async () => {
  const { call, runs } = openTestPipeline([defineEcho()])
  const { error } = (await call('test.echo', { text: 'a', tmes: 2 })) as CallFailure
  expect(error).toMatchObject({ code: 'invalid_input', status: 400 })
  expect(JSON.stringify(error.problems)).toContain('tmes')
  expect(runs).toEqual([])
})

test('a missing key is named', async () => {
  const { call } = openTestPipeline([defineEcho()])
  const { error } = (await call('test.echo', {})) as CallFailure
  expect(error.problems).toMatchObject([{ keyword: 'required', message: expect.stringContaining('text') }])
})

const cycle: { self?: unknown; text: string } = { text: 'a' }
cycle.self = cycle

class Point {
  text = 'a'
}

const notJson: Record<string, unknown> = {
  'a cycle': cycle,
  'a getter': {
    get text() {
      return 'a'
    },
  },
  'an own __proto__': JSON.parse('{"text":"a","__proto__":{"times":9}}'),
  'an instance of a class': new Point(),
  'a Date inside': { text: new Date() },
  'a Map': new Map([['text', 'a']]),
  undefined: undefined,
  'a function': () => ({ text: 'a' }),
  'a symbol': Symbol('a'),
  'a BigInt inside': { text: 'a', times: 1n },
  NaN: { text: 'a', times: Number.NaN },
  'a promise': Promise.resolve({ text: 'a' }),
  'half of a character': { text: '\ud800' },
  'a hole in an array': { text: new Array(2) },
  'a proxy that throws': new Proxy(
    {},
    {
      ownKeys() {
        throw new Error('no keys')
      },
    },
  ),
}

test.each(Object.entries(notJson))('%s is no input', async (_name, input) => {
  const { call, runs, records, violations } = openTestPipeline([defineEcho()])
  const result = await call('test.echo', input)
  expect(result).toMatchObject({ success: false, error: { code: 'invalid_input', status: 400 } })
  expect((result as CallFailure).error.problems).toHaveLength(1)
  expect(runs).toEqual([])
  expect(violations).toEqual([])
  expect(await records(result)).toMatchObject([{ kind: 'refusal', input: null, inputDigest: null }])
  expect(({} as { times?: number }).times).toBeUndefined()
})

test.each(['null', '5', '"text"', '[]', 'true'])('%s is no object, and so no input', async (text) => {
  const { call, runs } = openTestPipeline([defineEcho()])
  expect(await call('test.echo', JSON.parse(text))).toMatchObject({ error: { code: 'invalid_input' } })
  expect(runs).toEqual([])
})

test('a key that every object inherits is not there, and is refused where it is sent', async () => {
  const { call } = openTestPipeline([defineEcho()])
  for (const key of ['constructor', 'toString', 'hasOwnProperty', 'prototype']) {
    expect(await call('test.echo', { text: 'a', [key]: 1 })).toMatchObject({ error: { code: 'invalid_input' } })
  }
})

test('10 MB are refused without a copy in the ledger', async () => {
  const { call, runs, records } = openTestPipeline([defineEcho()])
  const result = await call('test.echo', { text: 'x'.repeat(10_000_000) })
  expect(result).toMatchObject({ error: { code: 'input_too_large', status: 413 } })
  expect(runs).toEqual([])
  expect(JSON.stringify(await records(result)).length).toBeLessThan(2000)
})

test('the bound on bytes is exact', async () => {
  const inputBytes = JSON.stringify({ text: 'aaaa' }).length
  const { call } = openTestPipeline([defineEcho({ limits: { inputBytes } })])
  expect(await call('test.echo', { text: 'aaaa' })).toMatchObject({ success: true })
  expect(await call('test.echo', { text: 'aaaaa' })).toMatchObject({ error: { code: 'input_too_large' } })
})

test('an input 10,000 levels deep is refused', async () => {
  let deep: JsonObject = {}
  for (let level = 0; level < 10_000; level++) deep = { deep }
  const { call, runs } = openTestPipeline([defineEcho()])
  expect(await call('test.echo', deep)).toMatchObject({ error: { code: 'input_too_large', status: 413 } })
  expect(runs).toEqual([])
})

test('a long or senseless tool name is answered and kept in bounds', async () => {
  const { call, records } = openTestPipeline([defineEcho()])
  for (const name of ['x'.repeat(1_000_000), '\ud800', '', '.', '__proto__.hello', 'constructor', 5, undefined, null]) {
    const result = await call(name as string, {})
    expect(result).toMatchObject({ success: false, error: { code: 'tool_not_found' } })
    expect(JSON.stringify(result).length).toBeLessThan(2000)
    expect(await records(result)).toMatchObject([{ kind: 'refusal', contractDigest: null }])
  }
})

test('a caller is kept as it was at the start, and without more than its name and session', async () => {
  const caller = { name: 'Ada', session: 's', password: 'hidden' }
  const { call, records } = openTestPipeline([
    defineEcho({}, (_input, context) => {
      expect(() => Object.assign(context.caller, { name: 'Eve' })).toThrow(TypeError)
      return { said: context.caller.name }
    }),
  ])
  const calling = call('test.echo', { text: 'a' }, { caller })
  caller.name = 'Eve'
  const result = await calling
  expect(result).toMatchObject({ output: { said: 'Ada' } })
  expect((await records(result))[0]).toMatchObject({ caller: { name: 'Ada', session: 's' } })
  expect(JSON.stringify(await records(result))).not.toContain('hidden')
})

test('a caller that is missing or no text is unknown, and the call is answered', async () => {
  const { call, records } = openTestPipeline([defineEcho()])
  for (const caller of [undefined, null, {}, { name: 5 }]) {
    const result = await call('test.echo', { text: 'a' }, { caller: caller as never })
    expect((await records(result))[0]).toMatchObject({ caller: { name: 'unknown' } })
  }
})

test('secrets in an input are redacted in the ledger, while the tool gets them', async () => {
  const secret = `ghp_${'a1B2'.repeat(9)}`
  const { call, records, runs } = openTestPipeline([defineEcho()])
  const result = await call('test.echo', { text: secret })
  expect(runs).toEqual([{ text: secret, times: 1 }])
  expect(JSON.stringify(await records(result))).not.toContain(secret)
})

function defineList(run = ({ items }: JsonObject): JsonObject => ({ count: (items as string[]).length })) {
  return defineEcho(
    {
      name: 'list',
      input: {
        type: 'object',
        additionalProperties: false,
        required: ['items'],
        properties: {
          items: { type: 'array', items: { type: 'string' } },
          order: { enum: ['up', 'down'], default: 'up' },
        },
      },
      output: {
        type: 'object',
        additionalProperties: false,
        required: ['count'],
        properties: { count: { type: 'integer' } },
      },
    },
    run,
  )
}
