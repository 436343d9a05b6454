import { expect, test } from 'vitest'
import { defineEcho } from '../../../test/helpers/open-test-pipeline.ts'
import { defineToolset } from '../../contract/define-toolset.ts'
import { createCatalog } from './catalog.ts'
import { nameSiblings } from './with-known-names.ts'

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
