import { afterAll, describe, expect, test } from 'vitest'
import { openToolpact, type ToolpactOptions } from '../../src/app/app.ts'
import { decideRun } from '../../src/authoring/scenarios/decide-run.ts'
import { type Bench, openBench } from '../../src/authoring/scenarios/open-bench.ts'
import type { ToolReport } from '../../src/authoring/scenarios/report.ts'
import { testTool } from '../../src/authoring/scenarios/test-tool.ts'
import type { Capabilities } from '../../src/capabilities/capabilities.ts'
import type { ContractSource } from '../../src/contract/contract.ts'
import { defineTool } from '../../src/contract/define-tool.ts'
import { defineToolset } from '../../src/contract/define-toolset.ts'
import type { Tool, Toolset } from '../../src/contract/tool.ts'
import { toolsets } from '../../src/toolsets/index.ts'
import { mutantsOf } from '../data/contract-mutants.ts'
import { oddToolset } from '../data/odd-toolset.ts'
import { defineEcho } from '../helpers/open-test-pipeline.ts'

const seed = 7
const text = { type: 'string', maxLength: 40 } as const
const closed = { type: 'object', additionalProperties: false } as const
const benches: Bench[] = []
afterAll(() => Promise.all(benches.map((bench) => bench.close())))

const builtIn = await Promise.all(Object.values(toolsets).map((load) => load()))
const built = await open(builtIn)

describe.each(built.entries)('$id', ({ id, tool }) => {
  test('keeps its contract in every scenario that comes from it', async () => {
    const notRun = decideRun({ contract: tool.contract, isForeign: false, runAll: false })
    const report = await testTool(tool.contract, built.bench.subject(id), { seed, ...(notRun && { notRun }) })
    expect(failuresOf(report)).toEqual([])
    if (tool.contract.status !== 'planned') expect(report.cases).toBeGreaterThan(30)
  })
})

test('where commands may be run, they are those of examples alone', async () => {
  const commands = new Set<unknown>()
  const source: ContractSource = {
    name: 'run',
    description: 'Runs a command.',
    risk: 'dangerous',
    input: {
      ...closed,
      required: ['command'],
      properties: { command: text, times: { type: 'integer', minimum: 1, maximum: 3 } },
    },
    output: closed,
    effects: { runs: ['command'] },
    examples: [
      { input: { command: 'make' }, output: {} },
      { input: { command: 'make test', times: 2 }, output: {} },
    ],
  }
  const tool = defineTool(source, ({ command }) => {
    commands.add(command)
    return {}
  })
  const { bench } = await open([defineToolset('own', [tool])])
  const report = await testTool(tool.contract, bench.subject('own.run'), { seed })
  expect(failuresOf(report)).toEqual([])
  expect([...commands].sort()).toEqual(['make', 'make test'])
  expect(decideRun({ contract: tool.contract, isForeign: false, runAll: false })).toContain('--run')
})

const watched = [
  ...builtIn
    .filter(({ name }) => name === 'learning')
    .flatMap(({ tools }) => tools)
    .filter(({ contract }) => contract.name === 'write_memory_entry'),
  ...oddToolset.tools.filter(({ contract }) =>
    ['tree', 'forms', 'old', 'twice_an_hour', 'fails'].includes(contract.name),
  ),
  defineEcho(),
].map(withSmallLimits) as Tool<Capabilities>[]

test.each(watched.map((tool) => ({ name: tool.contract.name, tool })))(
  'whoever drifts from the contract of $name is found',
  async ({ tool }) => {
    const mutants = mutantsOf(tool.contract)
    expect(mutants.length).toBeGreaterThan(3)
    const names = mutants.map(({ contract }, index) => ({ ...contract, name: `${contract.name}_${index}` }))
    const { bench } = await open([
      defineToolset('mutants', [tool, ...names.map((contract) => ({ ...tool, contract }))]) as Toolset<Capabilities>,
    ])
    const original = await testTool(tool.contract, bench.subject(`mutants.${tool.contract.name}`), { seed })
    expect(failuresOf(original)).toEqual([])
    const alive: string[] = []
    for (const [index, { name }] of mutants.entries()) {
      const subject = { ...bench.subject(`mutants.${names[index]!.name}`), id: original.tool }
      const report = await testTool(tool.contract, subject, {
        seed,
        notRun: 'Its contract is enough.',
        quick: true,
      })
      if (report.ok) alive.push(name)
    }
    expect(alive).toEqual([])
  },
)

/** Tools that break their contracts for some inputs only. */
const breaking = [
  define('long_ones', ({ text }) => (String(text).length > 3 ? { said: 5 } : { said: 'ok' })),
  define('capitals', ({ text }) => {
    if (/[A-Z]/.test(String(text))) throw new Error('No capitals, please.')
    return { said: 'ok' }
  }),
  define('counts', ({ count }, { fail }) => (Number(count) >= 9 ? fail('overflow', 'Too much.') : { said: 'ok' })),
  define('blank', ({ count }, { fail }) => (Number(count) > 4 ? fail('known', ' ') : { said: 'ok' })),
]

test('a tool that breaks its contract is found, with an input that is as small as it can be', async () => {
  const { bench, entries } = await open([defineToolset('breaking', breaking) as Toolset<Capabilities>])
  const found: Record<string, unknown> = {}
  for (const { id, tool } of entries) {
    const report = await testTool(tool.contract, bench.subject(id), { seed })
    expect(report.ok).toBe(false)
    const failures = report.scenarios.flatMap(({ scenario, failures }) => failures.map((one) => ({ scenario, ...one })))
    found[tool.contract.name] = failures[0]!.input
    expect(failures[0]!.message).toMatch(/must be a string|No capitals|overflow|without a message/)
  }
  expect(found).toEqual({
    long_ones: { text: 'aaaa' },
    capitals: { text: expect.stringMatching(/^[A-Z]$/) },
    counts: { text: '', count: 9 },
    blank: { text: '', count: 5 },
  })
})

test('the same seed finds the same, and another may not', async () => {
  const { bench, entries } = await open([defineToolset('breaking', breaking) as Toolset<Capabilities>])
  const { id, tool } = entries[1]!
  const reports = [1, 1, 2].map((seed) => testTool(tool.contract, bench.subject(id), { seed }))
  const [first, again, other] = await Promise.all(reports)
  expect(again).toEqual(first)
  expect(other).not.toEqual(first)
})

/** To fill a limit takes time. */
function withSmallLimits({ contract, ...tool }: Tool<Capabilities>): Tool<Capabilities> {
  return { ...tool, contract: { ...contract, limits: { ...contract.limits, inputBytes: 8192, outputBytes: 8192 } } }
}

function define(name: string, run: Tool['run']): Tool {
  const source: ContractSource = {
    name,
    description: 'Is wrong now and then.',
    risk: 'read_only',
    input: {
      ...closed,
      required: ['text'],
      properties: { text, count: { type: 'integer', minimum: 0, maximum: 10 } },
    },
    output: { ...closed, required: ['said'], properties: { said: text } },
    errors: [{ code: 'known', status: 422, when: 'Now and then.', suggestion: 'Try again.' }],
  }
  return defineTool(source, run as never) as Tool
}

async function open(sets: readonly Toolset<Capabilities>[]) {
  const entries = sets.flatMap(({ name, description, tools, ...provision }) =>
    tools.map((tool) => ({
      id: `${name}.${tool.contract.name}`,
      toolset: name,
      toolsetDescription: description,
      provision,
      tool,
    })),
  )
  const bench = await openBench(entries, {
    open: (options: ToolpactOptions) => openToolpact({ ...options, repeatable: true }),
  })
  benches.push(bench)
  return { bench, entries }
}

function failuresOf({ scenarios }: ToolReport) {
  return scenarios.flatMap(({ scenario, failures }) => failures.map((failure) => ({ scenario, ...failure })))
}
