import { expect, test } from 'vitest'
import { defineEcho, openTestPipeline } from '../../../test/helpers/open-test-pipeline.ts'
import { defineToolset } from '../../contract/define-toolset.ts'
import { nameSiblings } from './caller-errors.ts'
import { createCatalog } from './catalog.ts'

const tools = ['read_file', 'list_dir', 'mlx.unload', 'find'].map((name) => defineEcho({ name }))
const files = defineToolset('files', tools)
const other = defineToolset('other', [defineEcho({ name: 'out_there' })])

async function name(text: string, calledAs: string, isAlone = false) {
  const catalog = createCatalog({ files: async () => files, ...(!isAlone && { other: async () => other }) })
  const entry = (await catalog.all())[0]!
  return nameSiblings(text, { entry: entry as never, calledAs }, catalog as never)
}

const text = 'Use list_dir, `find` or mlx.unload. Then find it with out_there; list_dirs is no tool.'

test('tools of the same toolset are named in the form in which the caller named the tool', async () => {
  expect(await name(text, 'files_read_file')).toBe(
    'Use files_list_dir, `files_find` or files_mlx_unload. Then find it with out_there; list_dirs is no tool.',
  )
  expect(await name(text, 'files.read_file')).toBe(
    'Use files.list_dir, `files.find` or files.mlx.unload. Then find it with out_there; list_dirs is no tool.',
  )
  expect(await name(text, 'read_file')).toBe(text)
  expect(await name('Use mlx.unload.', 'read_file', true)).toBe('Use mlx_unload.')
})

const errors = [
  { code: 'invalid_text', status: 422, when: 'The text is invalid.', suggestion: 'Send text.', inputs: ['text'] },
]

test.each([
  ['a fault of the property', { text: 5 }, 'invalid_text', 422],
  ['two faults of the property alone', { text: ['x'] }, 'invalid_text', 422],
  ['a fault of another property', { text: 'x', times: 0 }, 'invalid_input', 400],
  ['faults of both', { text: 5, times: 0 }, 'invalid_input', 400],
  ['the property missing', {}, 'invalid_input', 400],
  ['no object at all', 'x', 'invalid_input', 400],
])('%s has the code that the contract says', async (_what, input, code, status) => {
  const { call, runs } = openTestPipeline([defineEcho({ errors })])
  const result = await call('echo', input)
  expect(result).toMatchObject({ success: false, ran: false, error: { code, status, fixable: true } })
  expect(!result.success && result.error.problems?.length).toBeGreaterThan(0)
  expect(runs).toEqual([])
})

test('the suggestion is the one of the contract, and the message says which input is wrong', async () => {
  const { call } = openTestPipeline([defineEcho({ errors })])
  expect(await call('echo', { text: 5 })).toMatchObject({
    error: { suggestion: 'Send text.', message: "The input text does not match the contract of 'echo'." },
  })
})
