import { expect, test } from 'vitest'
import type { ContractSource } from './contract.ts'
import { defineTool } from './define-tool.ts'
import { ToolError } from './tool-error.ts'
import { ToolpactError } from './toolpact-error.ts'

const object = { type: 'object', properties: {}, additionalProperties: false } as const
const least = {
  name: 'read_file',
  description: 'Reads a file.',
  risk: 'read_only',
  input: object,
  output: object,
} as const

test('omitted fields get their defaults', () => {
  expect(defineTool(least, () => ({})).contract).toEqual({
    name: 'read_file',
    title: 'Read file',
    description: 'Reads a file.',
    version: '1.0.0',
    status: 'active',
    risk: 'read_only',
    approval: 'never',
    input: object,
    output: object,
    errors: [],
    limits: { timeoutMs: 60_000, inputBytes: 1_048_576, outputBytes: 1_048_576 },
    effects: {},
    examples: [],
  })
})

test('declared fields are kept', () => {
  const source = {
    name: 'search.web',
    title: 'Search the web',
    description: 'Searches the web.',
    version: '2.1.0',
    status: 'planned',
    risk: 'dangerous',
    approval: 'never',
    input: object,
    output: object,
    errors: [{ code: 'no_result', status: 404, when: 'Nothing was found.', suggestion: 'Use other words.' }],
    limits: { timeoutMs: 1, inputBytes: 2, outputBytes: 3, concurrency: 4, calls: { count: 5, windowMs: 6 } },
    effects: { fetches: ['url'] },
    examples: [{ input: {}, output: {} }],
  } as const
  expect(defineTool(source, () => ({})).contract).toEqual(source)
})

test('a tool that changes something asks, unless its author says otherwise', () => {
  const approvalOf = (source: ContractSource) => defineTool(source, () => ({})).contract.approval
  expect(approvalOf({ ...least, risk: 'safe_write' })).toBe('ask')
  expect(approvalOf({ ...least, risk: 'dangerous' })).toBe('ask')
  expect(approvalOf({ ...least, risk: 'safe_write', approval: 'never' })).toBe('never')
})

test('one limit can be set without the others', () => {
  const { contract } = defineTool({ ...least, limits: { timeoutMs: 5 } }, () => ({}))
  expect(contract.limits).toEqual({ timeoutMs: 5, inputBytes: 1_048_576, outputBytes: 1_048_576 })
})

test('a title is made from the words of the name', () => {
  expect(defineTool({ ...least, name: 'search.web-page' }, () => ({})).contract.title).toBe('Search web page')
})

test('a contract cannot be changed, however deep', () => {
  const tool = defineTool(least, () => ({}))
  expect(() => Object.assign(tool.contract, { risk: 'dangerous' })).toThrow(TypeError)
  expect(() => Object.assign(tool.contract.limits, { timeoutMs: 1 })).toThrow(TypeError)
  expect(() => Object.assign(tool.contract.input.properties!, { more: true })).toThrow(TypeError)
  expect(() => Object.assign(tool, { run: () => ({}) })).toThrow(TypeError)
})

test('run is called as it was given', async () => {
  const echo = { ...object, properties: { text: { type: 'string' } } } as const
  const tool = defineTool(
    { ...least, input: echo, output: echo },
    ({ text }, _, { suffix }: { suffix: string }) => ({
      text: text + suffix,
    }),
    { needs: ['suffix'] },
  )
  const context = {} as Parameters<typeof tool.run>[1]
  expect(await tool.run({ text: 'a' }, context, { suffix: '!' })).toEqual({ text: 'a!' })
})

test('preview is called as it was given, and is absent where none was', async () => {
  const text = { ...object, properties: { text: { type: 'string' } }, required: ['text'] } as const
  const tool = defineTool({ ...least, input: text }, () => ({}), {
    needs: ['suffix'],
    preview: ({ text }, { suffix }: { suffix: string }) => ({ changes: [{ path: text, after: suffix }] }),
  })
  const { signal } = new AbortController()
  expect(await tool.preview!({ text: 'a' }, { suffix: '!' }, signal)).toEqual({ changes: [{ path: 'a', after: '!' }] })
  expect(defineTool(least, () => ({}))).not.toHaveProperty('preview')
})

test('validate is called as it was given, is absent where none was, and must be a function', async () => {
  const text = { ...object, properties: { text: { type: 'string' } }, required: ['text'] } as const
  const errors = [{ code: 'wrong', status: 400, when: 'It is wrong.', suggestion: 'Mend it.' }] as const
  const tool = defineTool({ ...least, input: text, errors }, () => ({}), {
    needs: ['suffix'],
    validate: ({ text }, _context, { suffix }: { suffix: string }) => new ToolError('wrong', text + suffix),
    checkedByRun: true,
  })
  expect(tool.checkedByRun).toBe(true)
  const context = {} as Parameters<NonNullable<typeof tool.validate>>[1]
  expect(await tool.validate!({ text: 'a' }, context, { suffix: '!' })).toMatchObject({ code: 'wrong', message: 'a!' })
  expect(defineTool(least, () => ({}))).not.toHaveProperty('validate')
  expect(() => defineTool(least, () => ({}), { validate: 1 as never })).toThrow('is not a function')
})

const mistakes: [mistake: string, source: unknown, says: string][] = [
  ['no contract', undefined, 'needs a contract'],
  ['no name', { ...least, name: undefined }, 'cannot be the name of a tool'],
  ['a name with a space', { ...least, name: 'read file' }, '"read file" cannot be the name of a tool'],
  ['a name that is too long', { ...least, name: 'a'.repeat(65) }, 'cannot be the name of a tool'],
  ['a mistyped field', { ...least, exampels: [] }, "unknown field 'exampels'"],
  ['no description', { ...least, description: undefined }, 'needs a description'],
  ['no risk', { ...least, risk: undefined }, 'needs a risk'],
  ['an unknown risk', { ...least, risk: 'low' }, 'needs a risk'],
  ['no input schema', { ...least, input: undefined }, 'needs an input schema'],
  ['an output schema that is no object', { ...least, output: true }, 'needs an output schema'],
  ['errors that are no list', { ...least, errors: {} }, "The errors of the contract of 'read_file' must be a list"],
  ['examples that are no list', { ...least, examples: {} }, 'must be a list: examples: [ … ]'],
  ['limits that are no object', { ...least, limits: [] }, 'must be an object: limits: { … }'],
  ['a function inside', { ...least, effects: { reads: () => [] } }, 'contains function at /effects/reads'],
  ['undefined inside', { ...least, limits: { timeoutMs: undefined } }, 'contains undefined at /limits/timeoutMs'],
]

test.each(mistakes)('%s is refused when the tool is defined', (_mistake, source, says) => {
  expect(() => defineTool(source as ContractSource, () => ({}))).toThrow(ToolpactError)
  expect(() => defineTool(source as ContractSource, () => ({}))).toThrow(says)
})

test('a contract that contains itself is refused', () => {
  const ring: Record<string, unknown> = { ...object }
  ring.properties = { ring }
  expect(() => defineTool({ ...least, input: ring }, () => ({}))).toThrow('nested too deep, or contains itself')
})

test('a tool without run is refused', () => {
  expect(() => defineTool(least, undefined as never)).toThrow("Tool 'read_file' has no run")
})

test('a tool lists what it is handed, and one that takes capabilities without a list is refused', () => {
  const define = (run: unknown, options?: unknown) => defineTool(least, run as never, options as never)
  expect(defineTool(least, () => ({})).needs).toBeUndefined()
  expect(define((...rest: unknown[]) => rest, { needs: ['files'] }).needs).toEqual(['files'])
  const missing =
    "Tool 'read_file' takes capabilities but does not list them. Pass their names as the third argument of defineTool: { needs: ['files'] }."
  expect(() => define((_input: never, _context: never, _world: never) => ({}))).toThrow(missing)
  expect(() => define(() => ({}), { preview: (_input: never, _world: never) => ({}) })).toThrow(missing)
  expect(() => define(() => ({}), { needs: 'files' })).toThrow('must be a list of names')
})
