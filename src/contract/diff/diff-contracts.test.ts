import { expect, test } from 'vitest'
import { cleanContract } from '../../../test/data/clean-contract.ts'
import type { Contract } from '../contract.ts'
import type { Change } from './change.ts'
import { diffContractSets, diffContracts } from './diff-contracts.ts'

type Changes = Parameters<typeof cleanContract>[0]
type Expected = readonly [pointer: string, category: Change['category'], breaking: boolean]

const error = { code: 'note_not_found', status: 404, when: 'There is no such note.', suggestion: 'List the notes.' }
const limits = { timeoutMs: 60_000, inputBytes: 1_048_576, outputBytes: 1_048_576 }
const rate = { count: 10, windowMs: 1000 }
const { input, output } = cleanContract()
const { lines, ...others } = input.properties!

/** What is changed in a contract, what it was there, and what is found. */
const table: readonly [what: string, old: Changes, next: Changes, ...expected: Expected[]][] = [
  ['the name', {}, { name: 'get_note' }, ['/name', 'wire', true]],
  ['the title', {}, { title: 'Get a note' }, ['/title', 'words', false]],
  ['the description', {}, { description: 'Reads a note.' }, ['/description', 'words', false]],
  ['the transport', {}, { transport: 'mcp (stdio)' }, ['/transport', 'words', false]],
  ['the endpoint', { endpoint: 'a' }, { endpoint: 'b' }, ['/endpoint', 'words', false]],
  ['the version', {}, { version: '1.1.0' }, ['/version', 'words', false]],
  ['an example', {}, { examples: [] }, ['/examples', 'words', false]],
  ['active to deprecated', {}, { status: 'deprecated' }, ['/status', 'words', false]],
  ['active to planned', {}, { status: 'planned' }, ['/status', 'wire', true]],
  ['planned to active', { status: 'planned' }, {}, ['/status', 'wire', false]],
  ['an error is removed', {}, { errors: [] }, ['/errors/0', 'wire', true]],
  ['an error is added', {}, { errors: [error, { ...error, code: 'torn' }] }, ['/errors/1', 'wire', false]],
  ['a status', {}, { errors: [{ ...error, status: 410 }] }, ['/errors/0/status', 'wire', true]],
  ['when an error happens', {}, { errors: [{ ...error, when: 'It is gone.' }] }, ['/errors/0/when', 'words', false]],
  ['a suggestion', {}, { errors: [{ ...error, suggestion: 'No.' }] }, ['/errors/0/suggestion', 'words', false]],
  ['the risk goes down', { risk: 'dangerous' }, { risk: 'safe_write' }, ['/risk', 'policy', true]],
  ['the risk goes up', { risk: 'read_only' }, { risk: 'dangerous' }, ['/risk', 'policy', false]],
  ['approval is dropped', { approval: 'ask' }, { approval: 'never' }, ['/approval', 'policy', true]],
  ['approval is demanded', { approval: 'never' }, { approval: 'ask' }, ['/approval', 'policy', false]],
  ['a longer timeout', { limits }, { limits: { ...limits, timeoutMs: 60_001 } }, ['/limits/timeoutMs', 'policy', true]],
  [
    'a shorter timeout',
    { limits },
    { limits: { ...limits, timeoutMs: 59_999 } },
    ['/limits/timeoutMs', 'policy', false],
  ],
  ['larger inputs', { limits }, { limits: { ...limits, inputBytes: 2e6 } }, ['/limits/inputBytes', 'policy', true]],
  ['smaller inputs', { limits }, { limits: { ...limits, inputBytes: 9 } }, ['/limits/inputBytes', 'wire', true]],
  ['larger outputs', { limits }, { limits: { ...limits, outputBytes: 2e6 } }, ['/limits/outputBytes', 'policy', true]],
  ['smaller outputs', { limits }, { limits: { ...limits, outputBytes: 9 } }, ['/limits/outputBytes', 'policy', false]],
  ['a rate is added', { limits }, { limits: { ...limits, calls: rate } }, ['/limits/calls', 'policy', false]],
  ['a rate is dropped', { limits: { ...limits, calls: rate } }, { limits }, ['/limits/calls', 'policy', true]],
  [
    'a shorter window',
    { limits: { ...limits, calls: rate } },
    { limits: { ...limits, calls: { ...rate, windowMs: 999 } } },
    ['/limits/calls', 'policy', true],
  ],
  [
    'fewer calls',
    { limits: { ...limits, calls: rate } },
    { limits: { ...limits, calls: { ...rate, count: 9 } } },
    ['/limits/calls', 'policy', false],
  ],
  ['one at a time', { limits }, { limits: { ...limits, concurrency: 1 } }, ['/limits/concurrency', 'policy', false]],
  ['several at once', { limits: { ...limits, concurrency: 1 } }, { limits }, ['/limits/concurrency', 'policy', true]],
  ['an effect is dropped', {}, { effects: {} }, ['/effects/reads', 'policy', true]],
  ['an effect is added', {}, { effects: { reads: ['path'], writes: ['path'] } }, ['/effects/writes', 'policy', false]],
  [
    'an effect becomes another one',
    {},
    { effects: { writes: ['path'] } },
    ['/effects/reads', 'policy', true],
    ['/effects/writes', 'policy', false],
  ],
  [
    'an output no longer counts as private',
    { effects: { reads: ['path'], returns: ['private'] } },
    { effects: { reads: ['path'], returns: ['untrusted'] } },
    ['/effects/returns', 'policy', true],
    ['/effects/returns', 'policy', false],
  ],
  [
    'what was implied is declared away',
    {},
    { effects: { reads: ['path'], returns: [] } },
    ['/effects/returns', 'policy', true],
  ],
  [
    'a receiver becomes another one',
    { effects: { reads: ['path'], sendsTo: ['api.example'] } },
    { effects: { reads: ['path'], sendsTo: ['operator'] } },
    ['/effects/sendsTo', 'policy', true],
    ['/effects/sendsTo', 'policy', false],
  ],
  [
    'a property no longer names a receiver',
    { effects: { reads: ['path'], sends: ['path'] } },
    {},
    ['/effects/sends', 'policy', true],
  ],
  [
    'one yes now covers a host',
    { effects: { fetches: ['path'] } },
    { effects: { fetches: ['path'], askPerHost: true } },
    ['/effects/askPerHost', 'policy', true],
  ],
  [
    'an effect goes with its property',
    { effects: { reads: ['path', 'lines'] } },
    { effects: { reads: ['path'] }, input: { ...input, properties: others } },
    ['/input/properties/lines', 'wire', true],
    ['/effects/reads', 'policy', false],
  ],
  [
    'an input gets an optional property',
    { input: { ...input, properties: others } },
    { input: { ...input, properties: { ...others, lines: lines! } } },
    ['/input/properties/lines', 'wire', false],
  ],
  [
    'an input gets a required property',
    {},
    { input: { ...input, properties: { ...input.properties, to: {} }, required: ['path', 'to'] } },
    ['/input/required', 'wire', true],
    ['/input/properties/to', 'wire', false],
  ],
  [
    'an output gets a property',
    {},
    { output: { ...output, properties: { ...output.properties, size: {} } } },
    ['/output/properties/size', 'wire', true],
  ],
  [
    'an output may leave something out',
    {},
    { output: { ...output, required: [] } },
    ['/output/required', 'wire', true],
  ],
  ['an output always has something', { output: { ...output, required: [] } }, {}, ['/output/required', 'wire', false]],
]

test.each(table)('%s', (_what, old, next, ...expected) => {
  const changes = diffContracts(cleanContract(old), cleanContract(next))
  expect(changes.map(({ pointer, category, breaking }) => [pointer, category, breaking])).toEqual(expected)
})

test('a contract does not differ from itself, nor where only orders differ', () => {
  const contract = cleanContract({ errors: [error, { ...error, code: 'torn' }] })
  expect(diffContracts(contract, structuredClone(contract))).toEqual([])
  const turned = Object.fromEntries(Object.entries(contract).reverse()) as unknown as Contract
  expect(diffContracts(contract, { ...turned, errors: contract.errors.toReversed() })).toEqual([])
})

test('a change has the old and the new value', () => {
  expect(diffContracts(cleanContract(), cleanContract({ approval: 'ask' }))).toEqual([
    {
      tool: 'read_note',
      pointer: '/approval',
      category: 'policy',
      breaking: false,
      message: 'A call now asks for approval.',
      before: '"never"',
      after: '"ask"',
    },
  ])
})

test('in a set, a tool that is gone breaks, unless it was planned, and a new one does not', () => {
  const [one, planned] = [cleanContract(), cleanContract({ status: 'planned' })]
  expect(diffContractSets({ 'a.one': one, 'a.planned': planned }, { 'a.two': one })).toEqual([
    { tool: 'a.one', pointer: '', category: 'wire', breaking: true, message: 'The tool was removed.' },
    { tool: 'a.planned', pointer: '', category: 'wire', breaking: false, message: 'The tool was removed.' },
    { tool: 'a.two', pointer: '', category: 'wire', breaking: false, message: 'The tool was added.' },
  ])
})

test('in a set, changes go by the full id', () => {
  const [old, next] = [cleanContract(), cleanContract({ title: 'Get a note' })]
  expect(diffContractSets({ 'a.one': old, 'b.one': old }, { 'a.one': next, 'b.one': old })).toMatchObject([
    { tool: 'a.one', pointer: '/title' },
  ])
})
