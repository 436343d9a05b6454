import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { defineEcho, makeFolder, yes } from '../../test/helpers/open-test-pipeline.ts'
import { defineToolset } from '../contract/define-toolset.ts'
import { openMemoryStorage } from '../runtime/storage/memory/memory.ts'
import { openToolpact, type ToolpactOptions } from './app.ts'

async function open(options: ToolpactOptions = {}) {
  const toolpact = await openToolpact({ storage: 'memory', ...options })
  onTestFinished(() => toolpact.close())
  return toolpact
}

const writing = defineToolset('mine', [defineEcho({ risk: 'safe_write' })])

test('every built-in toolset is served unless toolsets are named', async () => {
  const all = await open()
  expect((await all.catalog.all()).map(({ id }) => id)).toContain('practitioner.hello')
  const some = await open({ toolsets: ['learning', writing] })
  expect(new Set((await some.catalog.all()).map(({ toolset }) => toolset))).toEqual(new Set(['learning', 'mine']))
})

test('a toolset that does not exist, or twice, is refused before anything is opened', async () => {
  const storage = openMemoryStorage()
  await expect(openToolpact({ storage, toolsets: ['lerning'] })).rejects.toThrow("There is no toolset 'lerning'")
  await expect(openToolpact({ storage, toolsets: ['constructor'] })).rejects.toThrow(
    "There is no toolset 'constructor'",
  )
  const twice = [writing, defineToolset('mine', [])]
  await expect(openToolpact({ storage, toolsets: twice })).rejects.toThrow("There are two toolsets 'mine'")
})

test('the caller is the library unless another is named', async () => {
  const toolpact = await open()
  await toolpact.call('learning.hello', { name: 'Ada' })
  await toolpact.call('learning.hello', { name: 'Ada' }, { caller: { name: 'Bob' } })
  const callers = (await toolpact.ledger.read()).map(({ record }) => record.kind === 'intent' && record.caller.name)
  expect(callers.filter(Boolean)).toEqual(['library', 'Bob'])
})

test('a query makes one call, also where it is demanded', async () => {
  const toolpact = await open({ config: { policy: { requireQuery: true } } })
  const input = { name: 'Ada' }
  expect(await toolpact.call('learning.hello', input)).toMatchObject({ error: { code: 'single_step' } })
  const query = toolpact.query()
  expect(await query.call('learning.hello', input)).toMatchObject({ success: true })
  expect(await query.call('learning.hello', input)).toMatchObject({ error: { code: 'single_step' } })
  expect(await toolpact.call('learning.hello', input, { query })).toMatchObject({ error: { code: 'single_step' } })
  expect(await toolpact.query().call('learning.hello', input)).toMatchObject({ success: true })
})

test('options tighten the policy of the config and never loosen it', async () => {
  const code = async (config: ToolpactOptions['config'], policy: ToolpactOptions['policy']) => {
    const toolpact = await open({ toolsets: [writing], approver: yes, config, policy })
    const result = await toolpact.call('mine.echo', { text: 'a' })
    return result.success ? 'success' : result.error.code
  }
  expect(await code({}, {})).toBe('success')
  expect(await code({ policy: { readOnly: true } }, { readOnly: false })).toBe('denied')
  expect(await code({ policy: { readOnly: true } }, { readOnly: undefined })).toBe('denied')
  expect(await code({ policy: { readOnly: false } }, { readOnly: true })).toBe('denied')
  expect(await code(undefined, { readOnly: true })).toBe('denied')
})

test('the config is read from a file, and faults name the file', async () => {
  const path = join(makeFolder(), 'toolpact.json')
  writeFileSync(path, '{ "policy": { "readOnly": true } }')
  const toolpact = await open({ toolsets: [writing], approver: yes, config: path })
  expect(await toolpact.call('mine.echo', { text: 'a' })).toMatchObject({ error: { code: 'denied' } })

  for (const [text, said] of [
    ['{ "policy": { "readonly": true } }', 'readonly'],
    ['{ "policy": { "readOnly": "yes" } }', '/policy/readOnly'],
    ['{ "policy": {}, "policy": {} }', 'policy'],
    ['{', 'not valid'],
    ['[]', 'not valid'],
  ] as const) {
    writeFileSync(path, text)
    await expect(openToolpact({ storage: 'memory', config: path }), text).rejects.toThrow(said)
  }
  await expect(openToolpact({ storage: 'memory', config: `${path}.no` })).rejects.toThrow('ENOENT')
})

test('a config that is passed is checked like one that is read, and not changed', async () => {
  const misspelt = { policy: { readonly: true } } as never
  await expect(openToolpact({ storage: 'memory', config: misspelt })).rejects.toThrow('readonly')
  const config = { policy: {} }
  await open({ config })
  expect(config).toEqual({ policy: {} })
})

test('close waits for calls in flight', async () => {
  const slow = defineEcho({}, async () => {
    await new Promise((resolve) => setTimeout(resolve, 50))
    return { said: 'done' }
  })
  const toolpact = await openToolpact({ storage: 'memory', toolsets: [defineToolset('mine', [slow])] })
  const calling = toolpact.call('mine.echo', { text: 'a' })
  await toolpact.close()
  expect(await calling).toMatchObject({ output: { said: 'done' } })
  expect(await toolpact.call('mine.echo', { text: 'a' })).toMatchObject({ error: { code: 'ledger_unavailable' } })
})

test('violations are reported to listeners', async () => {
  const seen: unknown[] = []
  const broken = defineToolset('mine', [defineEcho({}, () => ({ wrong: true }))])
  const toolpact = await open({ toolsets: [broken], onViolation: (violation) => seen.push(violation.kind) })
  await toolpact.call('mine.echo', { text: 'a' })
  expect(seen).toEqual(['invalid_output'])
})
