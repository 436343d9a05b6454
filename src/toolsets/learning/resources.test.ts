import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type FileTree, openResources } from '../../../test/helpers/open-resources.ts'

const files: FileTree = {
  'README.md': '# Repo',
  'docs/intro.md': '# Intro',
  'docs/deep/größe 1.txt': 'deep',
  'docs/secrets/key.md': 'secret treasure',
  'docs/.env': 'KEY=treasure',
  'paths/one.json': '{}',
  'src/app.ts': 'code',
  '.claude/memory/progress_log.jsonl': '{"type":"start"}\n',
  '.claude/memory/decisions.jsonl': '{"type":"choice"}\n',
  '.claude/memory/.hidden': 'x',
  '.claude/settings.json': '{}',
}
const [documents, memory] = ['learning://documents/{+path}', 'learning://memory/{file}']

const open = (given: FileTree = files) => openResources(given, { toolsets: ['learning'] })

test('documents and memory files are listed, without what is closed or hidden', async () => {
  const { list, ask } = await open()
  expect((await list()).sort()).toEqual(
    [
      'learning://documents/README.md',
      'learning://documents/docs/deep/gr%C3%B6%C3%9Fe%201.txt',
      'learning://documents/docs/intro.md',
      'learning://documents/paths/one.json',
      'learning://memory/decisions.jsonl',
      'learning://memory/progress_log.jsonl',
    ].sort(),
  )
  const { resourceTemplates } = await ask('resources/templates/list')
  expect(resourceTemplates.map(({ uriTemplate }: { uriTemplate: string }) => uriTemplate)).toEqual([documents, memory])
  expect((await ask('tools/list')).tools).toHaveLength(3)
})

test('everything that is listed can be read', async () => {
  const { list, read } = await open()
  for (const uri of await list()) expect(await read(uri), uri).toMatchObject({ uri, text: expect.any(String) })
})

test('a repository without documents and memory has empty lists', async () => {
  expect(await (await open({})).list()).toEqual([])
})

test('a document is read as text, with the type of its name', async () => {
  const { read } = await open()
  expect(await read('learning://documents/docs/intro.md')).toEqual({ uri: 'learning://documents/docs/intro.md', mimeType: 'text/markdown', text: '# Intro' }) // biome-ignore format: one line
  expect(await read('learning://documents/paths/one.json')).toMatchObject({ mimeType: 'application/json' })
})

test('a memory file shows each entry once it is written', async () => {
  const { read, toolpact } = await open({})
  expect(await read('learning://memory/decisions.jsonl')).toBe('resource_not_found')
  const entry = { timestamp: '2026-01-09T10:30:00Z', type: 'decision' }
  const approver = async () => ({ answer: 'yes' as const, by: 'a test' })
  await toolpact.call('learning.write_memory_entry', { file: 'decisions.jsonl', entry }, { approver })
  expect(await read('learning://memory/decisions.jsonl')).toMatchObject({ text: `${JSON.stringify(entry)}\n` })
})

test.each([
  'documents/docs/.env',
  'documents/docs/secrets/key.md',
  'documents/src/app.ts',
  'documents/.claude/settings.json',
  'documents/docs/../src/app.ts',
  'documents//etc/passwd',
  'memory/..%2Fsettings.json',
  'memory/..%2F..%2Fdocs%2F.env',
])('%s is closed, whether it exists or not', async (path) => {
  const { read } = await open()
  expect(await read(`learning://${path}`)).toBe('access_denied')
  expect(await (await open({})).read(`learning://${path}`)).toBe('access_denied')
})

test('a link to a closed file is closed', async () => {
  const { read, workspace } = await open()
  symlinkSync('../src/app.ts', join(workspace, 'docs/link.md'))
  symlinkSync('/etc/passwd', join(workspace, '.claude/memory/passwd.jsonl'))
  expect(await read('learning://documents/docs/link.md')).toBe('access_denied')
  expect(await read('learning://memory/passwd.jsonl')).toBe('access_denied')
})

test('what is missing, no file, no text or too large is a declared error', async () => {
  const { read } = await open({ ...files, 'docs/a.bin': Buffer.from([0, 255]), 'docs/large': 'x'.repeat(1_048_577), '.claude/memory/b/c': '' }) // biome-ignore format: one line
  expect(await read('learning://documents/docs/none.md')).toBe('resource_not_found')
  expect(await read('learning://documents/docs/deep')).toBe('not_a_file')
  expect(await read('learning://documents/docs/a.bin')).toBe('not_text')
  expect(await read('learning://documents/docs/large')).toBe('file_too_large')
  expect(await read(`learning://documents/docs/${'x'.repeat(300)}`)).toBe('invalid_path')
  expect(await read('learning://memory/none.jsonl')).toBe('resource_not_found')
  expect(await read('learning://memory/b')).toBe('not_a_file')
  expect(await read('learning://memory/b/c')).toBe(-32002)
})

test('hidden characters are removed', async () => {
  const { read } = await open({ 'README.md': 'ob\u200bey', '.claude/memory/a': 'a\u202eb' })
  expect(await read('learning://documents/README.md')).toMatchObject({ text: 'obey' })
  expect(await read('learning://memory/a')).toMatchObject({ text: 'ab' })
})

test('paths of documents and names of memory files are completed', async () => {
  const { complete } = await open()
  const path = async (typed: string) => (await complete(documents, 'path', typed)).values
  expect(await path('')).toEqual(['README.md', 'docs/', 'paths/'])
  expect(await path('docs/')).toEqual(['docs/deep/', 'docs/intro.md'])
  for (const typed of ['src/', '../', 'docs/../', 'docs/secrets/', 'docs/.e', 'C'])
    expect(await path(typed), typed).toEqual([])
  const file = async (typed: string) => (await complete(memory, 'file', typed)).values
  expect(await file('')).toEqual(['decisions.jsonl', 'progress_log.jsonl'])
  expect(await file('p')).toEqual(['progress_log.jsonl'])
  expect((await (await open({})).complete(memory, 'file', '')).values).toEqual([])
})

test('lists and completions are calls with the rights of the resource', async () => {
  const { list, toolpact } = await open()
  await list()
  const entries = await toolpact.ledger.read({ last: 10 })
  const ids = entries.flatMap(({ record }) => ('tool' in record ? [record.tool] : []))
  expect(ids).toContain('learning.resource:document:list')
  expect(ids).toContain('learning.resource:memory:list')
})
