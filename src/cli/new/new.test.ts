import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeFolder } from '../../../test/helpers/open-test-pipeline.ts'
import { parseOptions } from '../options/command-line.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { newTool } from './new.ts'
import { writeFiles } from './write-files.ts'

const terminal: Terminal = {
  print() {},
  printExactly() {},
  write() {},
  log() {},
  logOnce() {},
  lineIsOpen: false,
  onNarrower: () => () => {},
  columns: undefined,
  signal: new AbortController().signal,
  onInterrupt: () => () => {},
  async ready() {},
  async flush() {},
}

function run(...args: string[]): Promise<number> {
  const open = () => Promise.reject(new Error('No tool is needed to begin one.'))
  return newTool.run({ ...parseOptions([...args, '--yes'], newTool.options), terminal, open })
}

const described = ['--description', 'Counts the words of a text.']

test.each([
  [described, 'new needs the name of a tool.'],
  [['count'], 'new needs a description.'],
  [['count', '--description', ' '], 'The description is empty.'],
  [['count', '--description', 'Count'], 'would be invalid at /description.'],
  [['count', 'more', ...described], "new takes one name, but also got 'more'."],
  [['1st', ...described], "A tool cannot be named '1st'."],
  [['count', ...described, '--risk', 'none'], "--risk cannot be 'none'."],
  [['count', ...described, '--contracts', 'other'], 'A tool is made in one place.'],
  [['count', ...described, '--toolset', 'learning'], 'A tool is made in one place.'],
  [['count', ...described, '--error', 'internal:400'], 'would be invalid at /errors/0/status.'],
  [
    ['count', ...described, '--example', '{"input":{"x":1},"output":{"result":"a"}}'],
    'would be invalid at /examples/0',
  ],
  [['count', ...described, '--example', '{"input":5,"output":{}}'], 'is not valid at "/examples/0/input"'],
])('%j is refused, and nothing is written', async (args, message) => {
  const folder = join(makeFolder(), 'tools')
  await expect(run(...args, '--contracts', folder)).rejects.toThrow(message)
  expect(existsSync(folder)).toBe(false)
})

test('in this repository a tool belongs to a toolset that there is', async () => {
  await expect(run('count', ...described)).rejects.toThrow('In the repository of Toolpact a tool belongs to a toolset.')
  await expect(run('count', ...described, '--toolset', 'lerning')).rejects.toMatchObject({
    message: "There is no toolset 'lerning' in src/toolsets/index.ts.",
    suggestion: expect.stringContaining('learning'),
  })
  await expect(run('hello', ...described, '--toolset', 'learning')).rejects.toThrow('hello.ts already')
})

test('all that can be given is in the contract', async () => {
  const folder = join(makeFolder(), 'tools')
  const fields = ['--param', 'text:string', '--param', 'all:boolean?', '--returns', 'parts:number[] Which']
  await run('search.web', ...described, '--risk', 'dangerous', ...fields, '--error', 'gone:404', '--contracts', folder)
  for (const end of ['contract.json', 'ts', 'test.ts']) expect(existsSync(join(folder, `search.web.${end}`))).toBe(true)
  const { default: contract } = await import(join(folder, 'search.web.contract.json'), { with: { type: 'json' } })
  expect(contract).toEqual({
    name: 'search.web',
    description: 'Counts the words of a text.',
    risk: 'dangerous',
    input: {
      type: 'object',
      additionalProperties: false,
      required: ['text'],
      properties: {
        text: { type: 'string', description: 'Text' },
        all: { type: 'boolean', description: 'All' },
      },
    },
    output: {
      type: 'object',
      additionalProperties: false,
      required: ['parts'],
      properties: { parts: { type: 'array', description: 'Which', items: { type: 'number' } } },
    },
    errors: [{ code: 'gone', status: 404, when: 'Gone.', suggestion: 'Change the input.' }],
    examples: [
      {
        title: 'Made up: put a real call in its place',
        input: { text: 'text' },
        output: { parts: [1.5] },
        varies: ['/parts'],
      },
    ],
  })
})

function toPlan(created: readonly string[], changed: readonly string[] = []) {
  const toFile = (path: string) => ({ path, text: `new ${path}`, about: '' })
  return { id: 'x', next: [], created: created.map(toFile), changed: changed.map(toFile) }
}

test('files are made, with their folders, and others are replaced', async () => {
  const folder = makeFolder()
  const [one, two, index] = ['a/one', 'a/b/two', 'index'].map((name) => join(folder, name)) as [string, string, string]
  writeFileSync(index, 'old')
  await writeFiles(toPlan([one, two], [index]))
  for (const path of [one, two, index]) expect(readFileSync(path, 'utf8')).toBe(`new ${path}`)
})

test('an existing file stops everything before anything is written', async () => {
  const folder = makeFolder()
  writeFileSync(join(folder, 'two'), 'mine')
  const paths = ['one', 'two'].map((name) => join(folder, name))
  await expect(writeFiles(toPlan(paths))).rejects.toThrow(`The file ${paths[1]} already exists.`)
  expect(readdirSync(folder)).toEqual(['two'])
  expect(readFileSync(paths[1]!, 'utf8')).toBe('mine')
})

test('written files are removed if the rest cannot be written', async () => {
  const folder = makeFolder()
  writeFileSync(join(folder, 'file'), '')
  const one = join(folder, 'one')
  await expect(writeFiles(toPlan([one, join(folder, 'file/two')]))).rejects.toThrow('Nothing was written')
  mkdirSync(join(folder, 'taken'))
  await expect(writeFiles(toPlan([one], [join(folder, 'taken')]))).rejects.toThrow('Nothing was written')
  expect(existsSync(one)).toBe(false)
  expect(readdirSync(folder).sort()).toEqual(['file', 'taken'])
})
