import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeFolder } from '../../../test/helpers/open-test-pipeline.ts'
import { openStateFiles } from '../../runtime/storage/files/state-files.ts'
import { setMember } from '../../state/edit-json.ts'
import { openConfigEditor } from './config-editor.ts'
import { openTrust } from './trust.ts'

function open(content?: string, named?: string) {
  const folder = realpathSync(makeFolder())
  const state = join(folder, 'state')
  mkdirSync(state, { mode: 0o700 })
  const trust = openTrust({ store: openStateFiles(() => state).trust, known: {} })
  const workspace = join(folder, 'work')
  mkdirSync(workspace)
  const path = join(workspace, named ?? 'toolpact.json')
  if (content !== undefined) writeFileSync(path, content)
  const editor = openConfigEditor({ workspace, stateDirectory: state, ...(named !== undefined && { config: path }) })
  return { trust, state, workspace, path, editor, read: () => readFileSync(path, 'utf8') }
}

const add = (text: string) => setMember(text, ['mcpServers', 'files'], { command: 'x' })
const loose = '{ "policy": { "sandbox": "off" } }'

test('a missing config is created, and trusted', async () => {
  const { editor, trust, workspace, path, read } = open()
  expect(await editor.look()).toBeUndefined()
  expect(await editor.change(add, 'ada')).toEqual({
    path,
    scope: 'project',
    isNew: true,
    isChanged: true,
    trust: 'trusted',
  })
  expect(read()).toBe('{\n  "mcpServers": {\n    "files": {\n      "command": "x"\n    }\n  }\n}\n')
  expect(await trust.look(workspace)).toMatchObject({ state: 'trusted', path })
  expect(await trust.list()).toMatchObject([{ trustedBy: 'ada' }])
  expect(readdirSync(workspace)).toEqual(['toolpact.json'])
})

test('a change by the operator keeps trust, and does not extend it to changes by others', async () => {
  const { editor, trust, workspace, path } = open(loose)
  expect(await editor.change(add, 'ada')).toMatchObject({ trust: 'untrusted' })
  expect(await trust.look(workspace)).toMatchObject({ state: 'untrusted' })
  await trust.add(await trust.look(workspace), 'ada')
  const another = (text: string) => setMember(text, ['mcpServers', 'more'], { command: 'x' })
  expect(await editor.change(another, 'ada')).toMatchObject({ trust: 'trusted' })
  expect(await editor.look()).toMatchObject({ config: { mcpServers: { files: {}, more: {} } } })
  expect((await editor.look())?.isTrusted('files')).toBe(true)
  writeFileSync(path, loose)
  expect(await editor.change(add, 'ada')).toMatchObject({ trust: 'untrusted' })
})

test('a config that needs no trust is trusted after an edit by the operator', async () => {
  const { editor } = open('{ "policy": { "askAll": true } }')
  expect((await editor.look())?.isTrusted('files')).toBe(false)
  expect(await editor.change(add, 'ada')).toMatchObject({ isNew: false, trust: 'trusted' })
})

test('a config that is named needs no trust', async () => {
  const { editor, trust } = open(loose, 'my.json')
  expect(await editor.change(add, 'ada')).toMatchObject({ trust: 'named' })
  expect((await editor.look())?.isTrusted('files')).toBe(true)
  expect(await trust.list()).toEqual([])
})

test('an invalid result is not written', async () => {
  const { editor, read } = open(loose)
  await expect(editor.change((text) => setMember(text, ['mcpServers', 'a'], {}), 'ada')).rejects.toThrow('A server has a command or a url') // biome-ignore format: one line
  await expect(editor.change((text) => setMember(text, ['mcpServers', 'learning'], { command: 'x' }), 'ada')).rejects.toThrow("No server can be called 'learning'") // biome-ignore format: one line
  expect(read()).toBe(loose)
  expect(await editor.findFault('files', { command: 'x' })).toBeUndefined()
  expect(await editor.findFault('files', { command: 'x', args: [5] })).toMatch(
    /^"\/mcpServers\/files\/args\/0" must be/,
  )
  const { editor: broken } = open('{ "policy": { "readonly": true } }')
  await expect(broken.change(add, 'ada')).rejects.toThrow('Did you mean "readOnly"?')
})

test('a concurrent change by another program is not overwritten', async () => {
  const { editor, path, read, workspace } = open('{}')
  const slow = (text: string) => {
    writeFileSync(path, loose)
    return add(text)
  }
  await expect(editor.change(slow, 'ada')).rejects.toThrow('was changed by another program in the meantime')
  expect(read()).toBe(loose)
  expect(readdirSync(workspace)).toEqual(['toolpact.json'])
})

test.skipIf(process.platform === 'win32')('the mode of the file and a link to it stay', async () => {
  const { state, workspace, path, read } = open('{}', 'real.json')
  chmodSync(path, 0o600)
  const link = join(workspace, 'toolpact.json')
  symlinkSync(path, link)
  await openConfigEditor({ workspace, stateDirectory: state, config: link }).change(add, 'ada')
  expect(statSync(path).mode & 0o777).toBe(0o600)
  expect(realpathSync(link)).toBe(path)
  expect(read()).toContain('files')
})

test('the fault of a server entry does not contain the path of the config', async () => {
  const folder = realpathSync(makeFolder())
  const workspace = join(folder, 'this config is not valid: here')
  mkdirSync(workspace)
  const editor = openConfigEditor({ workspace, stateDirectory: join(folder, 'state') })
  expect(await editor.findFault('files', { command: 5 })).toMatch(/^"\/mcpServers\/files/)
})
