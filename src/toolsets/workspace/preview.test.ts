import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeFolder } from '../../../test/helpers/open-test-pipeline.ts'
import { openFiles } from '../../capabilities/files.ts'
import { openProcess, type ProcessOptions } from '../../capabilities/process.ts'
import type { History } from './capability/history.ts'
import { createFile } from './create-file.ts'
import { replaceStringInFile } from './replace-string-in-file.ts'
import { runInTerminal } from './run-in-terminal.ts'

const { signal } = new AbortController()

function open() {
  const root = makeFolder()
  const files = openFiles({ root })
  writeFileSync(join(root, 'hello.py'), 'a = 1\nb = 1\n')
  return {
    root,
    create: (path: string) => createFile.preview!({ path, content: 'new\n' }, { files }, signal),
    replace: (path: string, old_string: string) =>
      replaceStringInFile.preview!({ path, old_string, new_string: '$& = 2' }, { files }, signal),
  }
}

test('create_file previews the new file, and writes nothing', async () => {
  const { root, create } = open()
  expect(await create('src/new.py')).toEqual({ changes: [{ path: 'src/new.py', after: 'new\n' }] })
  expect(readdirSync(root)).toEqual(['hello.py'])
})

test('replace_string_in_file previews the file before and after the first replacement, and writes nothing', async () => {
  const { root, replace } = open()
  expect(await replace('hello.py', '= 1')).toEqual({
    changes: [{ path: 'hello.py', before: 'a = 1\nb = 1\n', after: 'a $& = 2\nb = 1\n' }],
  })
  expect(readFileSync(join(root, 'hello.py'), 'utf8')).toBe('a = 1\nb = 1\n')
})

test('replace_string_in_file reports that it would fail', async () => {
  const { replace } = open()
  await expect(replace('hello.py', 'c = 1')).rejects.toMatchObject({ code: 'string_not_found' })
  await expect(replace('absent.py', 'c = 1')).rejects.toMatchObject({ code: 'file_not_found' })
})

test('run_in_terminal describes its sandbox', async () => {
  const look = async (options: Partial<ProcessOptions>) => {
    const process = openProcess({ cwd: makeFolder(), environment: globalThis.process.env, ...options })
    const history: History = { last: async () => undefined, remember: async () => {} }
    const { sandbox } = await runInTerminal.preview!({ command: 'ls' }, { process, history }, signal)
    return { sandbox, ...(await process.sandbox()) }
  }
  expect(await look({ sandbox: 'off' })).toMatchObject({ sandbox: 'none: it is switched off' })
  for (const network of [false, true]) {
    const { state, name, reason, sandbox } = await look({ sandbox: 'auto', network })
    const words = `${name}, ${network ? 'with' : 'without'} network`
    expect(sandbox).toBe(state === 'active' ? words : `none: ${reason}`)
  }
})
