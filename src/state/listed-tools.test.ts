import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { openListedTools } from './listed-tools.ts'

const root = mkdtempSync(join(tmpdir(), 'toolpact-listed-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

let directories = 0
const openNew = () => join(root, `${directories++}`)

const server = {
  name: 'files',
  folder: '/home/ada/project',
  address: { kind: 'stdio', command: 'npx', args: ['-y', 'files'], env: { KEY: 'a-secret-value' } },
}
const listed = { serverInfo: { name: 'files', version: '1' }, definitions: [{ name: 'read', inputSchema: {} }] }

test('what a server listed is loaded by another process, for the same server at the same address alone', async () => {
  const directory = openNew()
  expect(openListedTools(directory).load(server)).toBeUndefined()
  await openListedTools(directory).save(server, listed)
  const { load } = openListedTools(directory)
  expect(load(server)).toEqual(listed)
  expect(load({ ...server, name: 'other' })).toBeUndefined()
  expect(load({ ...server, folder: '/elsewhere' })).toBeUndefined()
  expect(load({ ...server, address: { ...server.address, args: ['-y', 'files@2'] } })).toBeUndefined()
  expect(load({ ...server, address: { ...server.address, env: { KEY: 'another' } } })).toBeUndefined()
})

test('the file is for this user alone, and holds no secret of the address', async () => {
  const directory = openNew()
  await openListedTools(directory).save(server, listed)
  const [name] = readdirSync(join(directory, 'listed-tools'))
  const path = join(directory, 'listed-tools', name!)
  expect(statSync(path).mode & 0o777).toBe(0o600)
  expect(readFileSync(path, 'utf8')).not.toContain('a-secret-value')
  chmodSync(path, 0o666)
  expect(openListedTools(directory).load(server)).toBeUndefined()
})

test.each(['', '{', '[]', 'null', '{"version":2}', '{"version":1,"salt":"","serverInfo":{},"definitions":[1]}'])(
  'a file that holds something else is passed over: %j',
  async (text) => {
    const directory = openNew()
    const store = openListedTools(directory)
    await store.save(server, listed)
    const [name] = readdirSync(join(directory, 'listed-tools'))
    writeFileSync(join(directory, 'listed-tools', name!), text)
    expect(store.load(server)).toBeUndefined()
  },
)

test('the newest list counts, one that is too large is not kept, and a folder that cannot be written harms nothing', async () => {
  const directory = openNew()
  const store = openListedTools(directory)
  await store.save(server, listed)
  const next = { ...listed, definitions: [] }
  await store.save(server, next)
  expect(openListedTools(directory).load(server)).toEqual(next)
  await store.save(server, { ...listed, definitions: [{ name: 'x'.repeat(9_000_000) }] })
  expect(openListedTools(directory).load(server)).toEqual(next)
  await openListedTools('/dev/null').save(server, listed)
  expect(openListedTools('/dev/null').load(server)).toBeUndefined()
})

test('of very many servers the newest are kept', async () => {
  const directory = openNew()
  const store = openListedTools(directory)
  for (let index = 0; index < 260; index++) await store.save({ ...server, name: `server-${index}` }, listed)
  expect(readdirSync(join(directory, 'listed-tools'))).toHaveLength(256)
  expect(store.load({ ...server, name: 'server-259' })).toEqual(listed)
})
