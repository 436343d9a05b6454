import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type FileTree, openResources } from '../../../test/helpers/open-resources.ts'
import { makeFolder } from '../../../test/helpers/open-test-pipeline.ts'

const template = 'workspace:///{+path}'
const pixel = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64') // biome-ignore format: one line

const open = (files: FileTree) => openResources(files, { toolsets: ['workspace'] })

test('the files are a template, of which no list shows thousands', async () => {
  const { ask, list } = await open({ 'a.txt': 'a' })
  const { resourceTemplates } = await ask('resources/templates/list')
  expect(resourceTemplates).toMatchObject([{ uriTemplate: template, name: 'file' }])
  expect(await list()).toEqual([])
  expect((await ask('tools/list')).tools).toHaveLength(10)
})

test('a text is read with the type that its name says', async () => {
  const { read } = await open({ 'a.txt': 'one', 'docs/b.MD': '# Two', 'c.json': '{}', 'd.html': '<script>', e: 'five' })
  const types: string[] = []
  for (const path of ['a.txt', 'docs/b.MD', 'c.json', 'd.html', 'e']) {
    const { uri, mimeType, text } = await read(`workspace:///${path}`)
    expect(uri).toBe(`workspace:///${path}`)
    expect(text.length).toBeGreaterThan(1)
    types.push(mimeType)
  }
  const plain = 'text/plain'
  expect(types).toEqual([plain, 'text/markdown', 'application/json', plain, plain])
})

test('bytes have the type that they are, whatever their name says', async () => {
  const { read } = await open({ 'a.txt': pixel, 'b.png': Buffer.from([0, 1, 2, 255]) })
  expect(await read('workspace:///a.txt')).toEqual({ uri: 'workspace:///a.txt', mimeType: 'image/png', blob: pixel.toString('base64') }) // biome-ignore format: one line
  expect(await read('workspace:///b.png')).toMatchObject({ mimeType: 'application/octet-stream', blob: 'AAEC/w==' })
})

test('an empty file is an empty text', async () => {
  const { read } = await open({ empty: '' })
  expect(await read('workspace:///empty')).toEqual({ uri: 'workspace:///empty', mimeType: 'text/plain', text: '' })
})

test('names with spaces and other scripts are encoded in the address', async () => {
  const { read } = await open({ 'my notes/größe.txt': 'x' })
  const uri = 'workspace:///my%20notes/gr%C3%B6%C3%9Fe.txt'
  expect(await read(uri)).toMatchObject({ uri, text: 'x' })
})

test('hidden characters of a text are removed', async () => {
  const { read } = await open({ 'a.txt': 'ob\u200bey\u202e me' })
  expect(await read('workspace:///a.txt')).toMatchObject({ text: 'obey me' })
})

test('a missing file is a missing resource', async () => {
  const { read, ask } = await open({})
  expect(await read('workspace:///none.txt')).toBe('resource_not_found')
  expect(await ask('resources/read', { uri: 'workspace:///none.txt' })).toMatchObject({ code: -32002 })
})

test('nothing outside the working directory can be read, also through links', async () => {
  const { read, workspace } = await open({ inside: 'x' })
  const folder = makeFolder()
  symlinkSync(folder, join(workspace, 'out'))
  symlinkSync('/etc/passwd', join(workspace, 'passwd'))
  for (const path of ['../x', 'a/../../x', '%2e%2e/x', '/etc/passwd', 'out/x', 'passwd', '%2Fetc%2Fpasswd'])
    expect(await read(`workspace:///${path}`), path).toBe('path_outside_working_dir')
})

test('a link inside the working directory is followed', async () => {
  const { read, workspace } = await open({ 'a.txt': 'x' })
  symlinkSync('a.txt', join(workspace, 'b.txt'))
  expect(await read('workspace:///b.txt')).toMatchObject({ text: 'x' })
})

test('directories, odd paths and large files are declared errors', async () => {
  const { read } = await open({ 'src/a.txt': 'x', large: Buffer.alloc(4_194_305) })
  expect(await read('workspace:///src')).toBe('not_a_file')
  expect(await read('workspace:///src/a.txt/b')).toBe('resource_not_found')
  expect(await read('workspace:///a%00b')).toBe('invalid_path')
  expect(await read('workspace:///large')).toBe('file_too_large')
})

test('bytes that are not UTF-8 are sent as they are', async () => {
  const { read } = await open({ latin: Buffer.from([0x66, 0xfc, 0x72]) })
  expect(await read('workspace:///latin')).toMatchObject({ mimeType: 'application/octet-stream', blob: 'Zvxy' })
})

test('reading is a call: it is recorded, and rules of paths apply', async () => {
  const { read, toolpact } = await open({ 'a.txt': 'x' })
  await read('workspace:///a.txt')
  const entries = await toolpact.ledger.read({ last: 5 })
  expect(entries.map(({ record }) => 'tool' in record && record.tool)).toContain('workspace.resource:file')
  const { tool } = (await toolpact.catalog.offers())[0]!
  expect(tool.contract.effects).toEqual({ reads: ['path'], returns: ['private'] })
})

test('paths are completed one level at a time', async () => {
  const { complete } = await open({
    'src/app.ts': '',
    'src/api/x.ts': '',
    'README.md': '',
    '.env': '',
    '.git/config': '',
  })
  const values = async (typed: string) => (await complete(template, 'path', typed)).values
  expect(await values('')).toEqual(['README.md', 'src/'])
  expect(await values('s')).toEqual(['src/'])
  expect(await values('src/ap')).toEqual(['src/api/', 'src/app.ts'])
  expect(await values('.')).toEqual(['.env'])
  for (const typed of ['none/', '../', '/etc/', 'README.md/', 'src/\0']) expect(await values(typed), typed).toEqual([])
})

test('completion is limited', async () => {
  const { complete } = await open(Object.fromEntries(Array.from({ length: 250 }, (_, index) => [`f${index}`, ''])))
  const { values, hasMore } = await complete(template, 'path', 'f')
  expect(values).toHaveLength(100)
  expect(hasMore).toBe(true)
})
