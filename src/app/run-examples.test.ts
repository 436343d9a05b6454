import { existsSync } from 'node:fs'
import { expect, test } from 'vitest'
import { defineEcho } from '../../test/helpers/open-test-pipeline.ts'
import type { ContractSource, Example } from '../contract/contract.ts'
import { defineTool } from '../contract/define-tool.ts'
import { defineToolset } from '../contract/define-toolset.ts'
import type { Tool } from '../contract/tool.ts'
import { runExamples } from './run-examples.ts'

const places: string[] = []

const source: ContractSource = {
  name: 'read',
  description: 'Reads a file that may be there.',
  risk: 'dangerous',
  input: {
    type: 'object',
    additionalProperties: false,
    properties: { path: { type: 'string', description: 'Which', default: 'a/b.txt' } },
  },
  output: {
    type: 'object',
    additionalProperties: false,
    required: ['text', 'more'],
    properties: {
      text: { type: 'string', description: 'What it says' },
      more: {
        type: 'object',
        description: 'More',
        additionalProperties: false,
        properties: { at: { type: 'number', description: 'When' } },
      },
    },
  },
  errors: [{ code: 'missing', status: 404, when: 'There is no such file.', suggestion: 'Name another.' }],
}

const files = { 'a/b.txt': 'Tea.' }
const output = { text: 'Tea.', more: { at: 0 } }

async function problemsOf(examples: readonly Example[], run: Tool<Reading>['run'] = readFile) {
  const { contract } = defineTool({ ...source, examples }, () => ({}))
  // Some examples are untrue on purpose.
  const toolset = defineToolset('own', [{ contract, needs: ['files'], run }], { strict: false })
  return (await runExamples('own.read', { toolsets: [toolset] })).map(({ problem }) => problem)
}

const readFile: Tool<Reading>['run'] = async ({ path }, { fail }, { files }) => {
  places.push(files.root)
  const lines = await files.readLines(path as string).catch(() => undefined)
  return lines ? { text: lines.text, more: { at: Math.random() } } : fail('missing', 'Not there.')
}

interface Reading {
  readonly files: { readonly root: string; readLines(path: string): Promise<{ text: string }> }
}

test('examples that are true have no problem: what varies does not count, files are there, what asks is approved', async () => {
  const examples: Example[] = [
    { title: 'There', given: { files }, input: {}, output, varies: ['/more/at'] },
    { input: { path: 'c' }, error: 'missing' },
  ]
  expect(await problemsOf(examples)).toEqual([undefined, undefined])
  expect(places.length).toBeGreaterThan(0)
  expect(places.filter(existsSync)).toEqual([])
})

test('an example reports how the result differs', async () => {
  const examples: Example[] = [
    { given: { files }, input: {}, output },
    { input: {}, output, varies: ['/more/at'] },
    { given: { files }, input: {}, error: 'missing' },
    { given: { files }, input: {}, output: { ...output, text: 'Coffee.' }, varies: ['/more/at'] },
    { given: { files }, input: {}, output: { ...output, more: {} }, varies: ['/text/deep'] },
  ]
  expect(await problemsOf(examples)).toEqual([
    expect.stringMatching(
      /^It should return {"text":"Tea.","more":{"at":0}}, and returns {"text":"Tea.","more":{"at":0\./,
    ),
    'It should succeed, but fails with missing: Not there.',
    expect.stringMatching(/^It should fail with missing, and returns {"text"/),
    expect.stringContaining('"Coffee."'),
    expect.stringContaining('It should return'),
  ])
})

test('a contract violation is reported with the evidence', async () => {
  const thrown = await problemsOf([{ input: {}, output }], () => {
    throw new Error('read is not implemented yet.')
  })
  expect(thrown[0]).toContain('read is not implemented yet.')
  const wrong = await problemsOf([{ input: {}, error: 'missing' }], () => ({ text: 5 }))
  expect(wrong[0]).toMatch(/^It should fail with missing, but fails with invalid_output: .*text/)
})

test('a missing tool, or one without examples, is an error', async () => {
  const own = defineToolset('own', [defineEcho({ name: 'echo', examples: [] })])
  await expect(runExamples('own.none', { toolsets: [own] })).rejects.toThrow("There is no tool 'own.none'.")
  await expect(runExamples('own.echo', { toolsets: [own] })).rejects.toThrow('has no examples. Write one.')
})
