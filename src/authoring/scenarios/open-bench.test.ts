import { existsSync } from 'node:fs'
import { expect, onTestFinished, test } from 'vitest'
import { openToolpact, type ToolpactOptions } from '../../app/app.ts'
import type { Capabilities } from '../../capabilities/capabilities.ts'
import type { ContractSource } from '../../contract/contract.ts'
import { defineTool } from '../../contract/define-tool.ts'
import type { Tool } from '../../contract/tool.ts'
import { openBench } from './open-bench.ts'
import type { Files } from './subject.ts'
import { testTool } from './test-tool.ts'

const closed = { type: 'object', additionalProperties: false } as const

function define(changes: Partial<ContractSource>, run: Tool<Capabilities>['run']): Tool<Capabilities> {
  const source = {
    name: 'own',
    description: 'Is tested.',
    risk: 'read_only',
    input: closed,
    output: closed,
    ...changes,
  }
  const { contract } = defineTool(source as ContractSource, () => ({}), {})
  return { contract, needs: ['files', 'web'], run }
}

async function open(tool: Tool<Capabilities>, reachOut = false) {
  const entry = { id: 'set.own', toolset: 'set', toolsetDescription: 'Of its own.', tool }
  const bench = await openBench([entry], { open: (options: ToolpactOptions) => openToolpact(options), reachOut })
  onTestFinished(() => bench.close())
  return { bench, subject: bench.subject('set.own') }
}

test('the workspace is temporary, and holds what was given and nothing of an earlier call', async () => {
  const roots = new Set<string>()
  const tool = define({ output: { ...closed, properties: { names: {} } } }, async (_input, _context, { files }) => {
    roots.add(files.root)
    const { entries } = await files.list('.')
    await files.createExclusive('left.txt', Buffer.from('behind'))
    return { names: entries.map(({ name }) => name) }
  })
  const { bench, subject } = await open(tool)
  for (const files of [{}, { 'a.txt': 'a', 'b/c.txt': 'c' }, {}] as Files[]) {
    const { result } = await subject.call({}, { files })
    const names = Object.keys(files).length > 0 ? ['a.txt', 'b'] : []
    expect(result.success && [...(result.output.names as string[])].sort()).toEqual(names)
  }
  await expect(subject.call({}, { files: { '../out.txt': '' } })).rejects.toThrow('outside the workspace')
  await bench.close()
  expect([...roots].filter(existsSync)).toEqual([])
})

test('validate runs with its tool, but not with a stub', async () => {
  const errors = [{ code: 'wrong', status: 400, when: 'It is wrong.', suggestion: 'Mend it.' }]
  const tool = define({ errors }, () => ({}))
  const openWith = async (reaches: boolean) => {
    const validate: Tool<Capabilities>['validate'] = async (_input, { fail }, { files, web }) => {
      if (reaches) await web.fetch('http://127.0.0.1:9/')
      return fail('wrong', `In ${files.root}`)
    }
    return (await open({ ...tool, validate })).subject
  }
  const subject = await openWith(false)
  expect(await subject.call({})).toMatchObject({ ran: true, result: { ran: false, error: { code: 'wrong' } } })
  expect(await subject.call({}, { standIn: () => ({}) })).toMatchObject({ ran: true, result: { success: true } })
  expect(await (await openWith(true)).call({})).toMatchObject({ reached: 'web', ran: true })
})

test('a tool that reaches beyond the workspace is blocked, which is not counted as a failure', async () => {
  let fetched = 0
  const tool = define({}, async (_input, _context, { web }) => {
    await web.fetch('http://127.0.0.1:9/')
    fetched++
    return {}
  })
  const { subject } = await open(tool)
  expect(await subject.call({})).toMatchObject({ reached: 'web', ran: true })
  const report = await testTool(tool.contract, subject, { seed: 1 })
  expect(report.ok).toBe(true)
  expect(report.scenarios.find(({ scenario }) => scenario === 'minimal')!.skipped).toEqual([
    'The tool reaches beyond the workspace (web). Use --run to allow that.',
  ])
  const { subject: free } = await open(tool, true)
  expect(await free.call({})).toMatchObject({ reached: undefined, result: { success: false } })
  expect(fetched).toBe(0)
})

test('a stub runs instead of the tool', async () => {
  let runs = 0
  const { subject } = await open(define({}, () => ({ runs: ++runs })))
  expect(await subject.call({}, { standIn: () => ({}) })).toMatchObject({ ran: true, result: { success: true } })
  expect(await subject.call({ more: 1 }, { standIn: () => ({}) })).toMatchObject({ ran: false })
  expect(await subject.call({}, { standIn: () => ({ a: 1 }) })).toMatchObject({ violation: { kind: 'invalid_output' } })
  expect(runs).toBe(0)
})

test('limits that are not enforced are found: rate, time, concurrency, bytes', async () => {
  const limits = {
    calls: { count: 3, windowMs: 60_000 },
    concurrency: 2,
    timeoutMs: 400,
    inputBytes: 64,
    outputBytes: 64,
  }
  const contract = define({ limits }, () => ({})).contract
  const { subject } = await open(define({ limits }, () => ({})))
  const honest = await testTool(contract, subject, { seed: 1 })
  expect(honest.scenarios.find(({ scenario }) => scenario === 'limits')).toMatchObject({
    cases: 7,
    failed: 0,
    skipped: [],
  })
  const { subject: loose } = await open(define({ limits: { timeoutMs: 400 } }, () => ({})))
  const found = await testTool(contract, loose, { seed: 1 })
  const { failed } = found.scenarios.find(({ scenario }) => scenario === 'limits')!
  expect(failed).toBe(4)
})

test('a tool that hangs is waited for only once', async () => {
  let runs = 0
  const tool = define({ limits: { timeoutMs: 30 } }, () => {
    runs++
    return new Promise(() => {})
  })
  const { subject } = await open(tool)
  const report = await testTool(tool.contract, subject, { seed: 1 })
  expect(report).toMatchObject({ ok: false, notRun: expect.stringContaining('not run again') })
  expect(report.scenarios.flatMap(({ failures }) => failures.map(({ message }) => message))).toEqual([
    expect.stringContaining('timeout'),
  ])
  expect(runs).toBe(1)
})

test('a declared suggestion reaches the caller with the other tools of the toolset named by their ids', async () => {
  const errors = [{ code: 'gone', status: 404, when: 'It is gone.', suggestion: 'Call other_one, then own_one.' }]
  const [tool, other] = ['own_one', 'other_one'].map((name) => define({ name, errors }, () => ({})))
  const entries = [tool!, other!].map((tool) => {
    return { id: `set.${tool.contract.name}`, toolset: 'set', toolsetDescription: 'Of its own.', tool }
  })
  const bench = await openBench(entries, { open: (options: ToolpactOptions) => openToolpact(options) })
  onTestFinished(() => bench.close())
  const subject = bench.subject('set.own_one')
  expect(subject.asRead(errors[0]!.suggestion)).toBe('Call set.other_one, then set.own_one.')
  expect((await testTool(tool!.contract, subject, { seed: 1 })).ok).toBe(true)
  const literal = { ...subject, asRead: (text: string) => text }
  expect((await testTool(tool!.contract, literal, { seed: 1 })).ok).toBe(false)
})
