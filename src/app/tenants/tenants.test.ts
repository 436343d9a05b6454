import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeFolder } from '../../../test/helpers/open-test-pipeline.ts'
import { openToolpact } from '../app.ts'
import { checkConfig } from '../config/config.ts'
import { toTenants } from './tenants.ts'

const names = { acme: {}, globex: {} }
const auth = { jwks: 'https://issuer.example/keys', issuer: 'https://issuer.example', audience: 'toolpact' }

async function read(tenants: object, more: object = { http: { auth } }, folder = '/srv') {
  return toTenants(await checkConfig({ tenants: { by: 'claim', names, ...tenants }, ...more } as never, 'server.json', folder)) // biome-ignore format: one line
}

test('tenants have folders beside the config, and defaults', async () => {
  const found = await read({ names: { acme: {}, globex: { folder: 'elsewhere', url: 'https://Globex.example/' } } })
  expect(found).toMatchObject({ by: 'claim', claim: 'tenant', own: 'default', maxOpen: 50, idleMs: 900_000 })
  expect([...found!.entries.values()]).toEqual([
    { name: 'acme', folder: '/srv/tenants/acme', url: undefined },
    { name: 'globex', folder: '/srv/elsewhere', url: 'https://globex.example' },
  ])
})

test.each([
  ['Acme', 'upper case'],
  ['../acme', 'a path'],
  ['a/b', 'a path'],
  ['.', 'a path'],
  ['..', 'a path'],
  ['', 'nothing'],
  ['-acme', 'an option'],
  ['acme-', 'no label of a host'],
  ['acme.example', 'a host'],
  ['аcme', 'Cyrillic'],
  ['acme\u200b', 'a hidden character'],
  ['acme\u0000', 'NUL'],
  ['acme\n', 'a line break'],
  ['a_b', 'an underscore'],
  ["a'b", 'a quote'],
  ['a'.repeat(64), 'too long'],
])('a tenant cannot be named %j: %s', async (name) => {
  await expect(read({ names: { [name]: {} } })).rejects.toThrow(/is not valid: .*\/tenants\/names/)
})

test.each([
  [{}, {}, 'needs http.auth'],
  [{}, { http: { auth, public: true } }, 'http.public'],
  [{ names: { default: {} } }, { http: { auth } }, 'no tenant can have the name default'],
  [{}, { http: { auth }, storage: { postgres: 'postgres://x', tenant: 'acme' } }, 'no tenant can have the name acme'],
  [{}, { http: { auth }, workspace: '.' }, 'workspace would be shared'],
  [{}, { http: { auth }, ledger: { signing: { key: 'key.pem' } } }, 'ledger.signing would be shared'],
  [{}, { http: { auth }, ledger: { checkpoints: [{ file: 'x' }] } }, 'ledger.checkpoints would be shared'],
  [{ by: 'host' }, {}, 'acme needs a url'],
  [{ by: 'host', names: { acme: { url: 'https://a.example' }, b: { url: 'http://A.example:8080' } } }, {}, 'the same host'], // biome-ignore format: one line
  [{ names: { acme: { folder: 'x' }, globex: { folder: 'x' } } }, { http: { auth } }, 'the folder of globex is that of acme'], // biome-ignore format: one line
  [{ names: { acme: { folder: 'x' }, globex: { folder: 'x/y' } } }, { http: { auth } }, 'or inside it'],
  [{ names: { acme: { folder: 'x' }, b: { folder: 'x-y' }, c: { folder: 'x/y' } } }, { http: { auth } }, 'folder of c'],
  [{ names: { acme: { folder: '.' }, globex: {} } }, { http: { auth } }, 'or inside it'],
])('%j with %j is refused: %s', async (tenants, more, words) => {
  await expect(read(tenants, more)).rejects.toThrow(words)
})

test('folders that a symlink makes the same are refused', async () => {
  const folder = makeFolder()
  mkdirSync(join(folder, 'real'))
  symlinkSync(join(folder, 'real'), join(folder, 'link'))
  const shared = { names: { acme: { folder: 'real' }, globex: { folder: 'link' } } }
  await expect(read(shared, { http: { auth } }, folder)).rejects.toThrow('the folder of globex is that of acme')
})

function openServer(own: { readonly [name: string]: object } = {}, more: object = {}) {
  const folder = makeFolder()
  const write = (path: string, content: object) => {
    mkdirSync(join(folder, path, '..'), { recursive: true })
    writeFileSync(join(folder, path), JSON.stringify(content))
  }
  write('server.json', { http: { auth }, toolsets: ['learning'], tenants: { by: 'claim', names }, ...more })
  for (const [name, content] of Object.entries(own)) write(`tenants/${name}/toolpact.json`, content)
  const state = join(folder, 'state')
  const open = (tenant?: string) =>
    openToolpact({ config: join(folder, 'server.json'), storage: 'memory', stateDirectory: state, ...(tenant !== undefined && { tenant }) }) // biome-ignore format: one line
  return { folder, open }
}

test('a tenant has the settings of the server, and its own in their place', async () => {
  const { folder, open } = openServer({ globex: { toolsets: ['workspace'], limits: {} } })
  const opened = await Promise.all([open('acme'), open('globex'), open('default')])
  expect(opened.map(({ catalog }) => catalog.toolsets)).toEqual([['learning'], ['workspace'], ['learning']])
  expect(opened.slice(0, 2).map(({ workspace }) => workspace)).toEqual([
    join(folder, 'tenants/acme/workspace'),
    join(folder, 'tenants/globex/workspace'),
  ])
  expect(opened.map(({ config }) => config.tenants)).toEqual([undefined, undefined, undefined])
  expect(opened.slice(0, 2).map(({ lock }) => lock.path)).toEqual([
    join(folder, 'tenants/acme/toolpact.lock'),
    join(folder, 'tenants/globex/toolpact.lock'),
  ])
  await Promise.all(opened.map((one) => one.close()))
})

test('MCP servers of a tenant start in its workspace', async () => {
  const mcpServers = {
    one: { command: 'node' },
    two: { command: 'node', cwd: '/srv' },
    three: { url: 'https://a.example' },
  }
  const { folder, open } = openServer({}, { mcpServers })
  const toolpact = await open('acme')
  const { one, two, three } = toolpact.config.mcpServers!
  expect([one!.cwd, two!.cwd, three!.cwd]).toEqual([join(folder, 'tenants/acme/workspace'), '/srv', undefined])
  await toolpact.close()
})

test.each([
  [undefined, {}, 'Name one with --tenant NAME. Its tenants are acme, globex; default is the server itself.'],
  ['other', {}, "The config has no tenant 'other'."],
  ['__proto__', {}, 'has no tenant'],
  ['../globex', {}, 'has no tenant'],
  ['acme', { acme: { http: { port: 1 } } }, 'of a tenant cannot have http. Move it to'],
  ['acme', { acme: { storage: { postgres: 'postgres://x' } } }, 'cannot have storage'],
  ['acme', { acme: { tenants: { by: 'claim', names } } }, 'cannot have tenants'],
  ['acme', { acme: { workspace: '../globex/workspace' } }, 'is in the folder of globex'],
])('%s with %j is refused: %s', async (tenant, own, words) => {
  await expect(openServer(own).open(tenant)).rejects.toThrow(words)
})

test('without Postgres no tenant is opened: they would share a file', async () => {
  const { folder } = openServer()
  const config = join(folder, 'server.json')
  const options = { config, tenant: 'acme', stateDirectory: join(folder, 'state') }
  await expect(openToolpact(options)).rejects.toThrow('Tenants need Postgres')
  await expect(openToolpact({ tenant: 'acme', stateDirectory: join(folder, 'state') })).rejects.toThrow('Tenants need Postgres') // biome-ignore format: one line
})
