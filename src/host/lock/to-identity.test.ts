import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { packageOf } from '../../policy/launched-package.ts'
import { findIntegrity, toIdentity } from './to-identity.ts'

test.each<[line: string, found: string | undefined]>([
  ['npx -y @scope/files@1.2.3 /data', 'npm:@scope/files 1.2.3'],
  ['npx --yes files', 'npm:files'],
  ['npx files@latest', 'npm:files'],
  ['npx files@^1.0.0', 'npm:files'],
  ['npx -y files@1.0.0-beta.1', 'npm:files 1.0.0-beta.1'],
  ['npx -p files@1.0.0 files-server', 'npm:files 1.0.0'],
  ['npx --package=files@1.0.0 -- files-server', 'npm:files 1.0.0'],
  ['npx -y -- files@1.0.0 --flag', 'npm:files 1.0.0'],
  ['npx -p a@1.0.0 -p b@1.0.0 run', undefined],
  ['npx --registry https://example.com files@1.0.0', 'npm:files 1.0.0'],
  ['npx github:ada/files', undefined],
  ['npx ./files', undefined],
  ['npx', undefined],
  ['/usr/local/bin/npx -y files@1.0.0', 'npm:files 1.0.0'],
  ['npx.cmd -y files@1.0.0', 'npm:files 1.0.0'],
  ['cmd /c npx -y files@1.0.0', 'npm:files 1.0.0'],
  ['npm exec files@1.0.0', 'npm:files 1.0.0'],
  ['pnpm dlx files@1.0.0', 'npm:files 1.0.0'],
  ['bunx files@1.0.0', 'npm:files 1.0.0'],
  ['uvx mcp-server-git==2.0.1', 'pypi:mcp-server-git 2.0.1'],
  ['uvx mcp-server-git@2.0.1', 'pypi:mcp-server-git 2.0.1'],
  ['uvx mcp-server-git', 'pypi:mcp-server-git'],
  ['uvx --from git-tools==1.0 run', 'pypi:git-tools 1.0'],
  ['uv tool run --python 3.12 git-tools==1.0', 'pypi:git-tools 1.0'],
  ['node server.js', undefined],
  ['npm run server', undefined],
])('%s runs %s', (line, wanted) => {
  const [command = '', ...args] = line.split(' ')
  const found = packageOf(command, args)
  expect(found && [found.package, found.version].filter(Boolean).join(' ')).toBe(wanted)
})

test.each<[url: string, shown: string]>([
  ['https://example.com/mcp', 'https://example.com/mcp'],
  ['https://ada:secret@example.com:8443/mcp?key=secret#secret', 'https://example.com:8443/mcp'],
  ['https://example.com/s/MzQ1Njc4OTAxMjM0NTY3ODkw/mcp', 'https://example.com/s/…/mcp'],
  ['https://mcp1.eu-west.example.com/mcp', 'https://mcp1.eu-west.example.com/mcp'],
  ['https://example.com/7f9c24e8-3b12-4fb2-9d5e-1c2a3b4d5e6f', 'https://example.com/…'],
  [`https://\${HOST}/\${TOKEN}/mcp`, `https://\${HOST}/\${TOKEN}/mcp`],
  ['https://example.com/api/streamable-http-endpoint', 'https://example.com/api/streamable-http-endpoint'],
])('of %s the lock says %s', (url, shown) => {
  expect(toIdentity({ url })).toEqual({ kind: 'http', url: shown })
  expect(toIdentity({ url, type: 'sse' }).kind).toBe('sse')
})

test('neither arguments nor odd words of the server about itself are in the lock', () => {
  const info = { name: 'x'.repeat(5000), version: 7, title: '\ud800', evil: { a: 1 } }
  expect(toIdentity({ command: 'notes', args: ['--token', 'secret'] }, info)).toEqual({
    kind: 'stdio',
    command: 'notes',
    serverInfo: { name: 'x'.repeat(200), title: '\ufffd' },
  })
})

const folder = mkdtempSync(join(tmpdir(), 'toolpact-integrity-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('the integrity is what npm recorded where the package is installed, else where npx keeps it', () => {
  const environment = { npm_config_cache: join(folder, 'cache') }
  const [cwd, elsewhere] = [join(folder, 'project'), join(folder, 'elsewhere')]
  const found = packageOf('npx', ['-y', '@scope/files@1.2.3'])!
  expect(findIntegrity(found, { cwd, environment })).toBeUndefined()
  // The folder is named as npx names it.
  record(join(folder, 'cache/_npx/88b0de9b2cb4f6c1/package-lock.json'), 'sha512-other')
  record(join(folder, 'cache/_npx', npxFolder, 'package-lock.json'), 'sha512-kept')
  record(join(cwd, 'node_modules/.package-lock.json'), 'sha512-installed')
  expect(findIntegrity(found, { cwd, environment })).toBe('sha512-installed')
  expect(findIntegrity(found, { cwd: elsewhere, environment })).toBe('sha512-kept')
  for (const other of ['@scope/files@1.2.4', '@scope/files', '@scope/other@1.2.3'])
    expect(findIntegrity(packageOf('npx', [other])!, { cwd, environment })).toBeUndefined()
  writeFileSync(join(cwd, 'node_modules/.package-lock.json'), '{')
  expect(findIntegrity(found, { cwd, environment })).toBe('sha512-kept')
})

test('the integrity of a confined server is what was installed for it', () => {
  const [cwd, installRecord] = [join(folder, 'confined'), join(folder, 'installed.json')]
  record(join(cwd, 'node_modules/.package-lock.json'), 'sha512-other')
  const found = packageOf('npx', ['-y', '@scope/files@1.2.3'])!
  const find = () => findIntegrity(found, { cwd, environment: {}, installRecord })
  expect(find()).toBe('sha512-other')
  const write = (content: object) => writeFileSync(installRecord, JSON.stringify(content))
  write({ name: '@scope/files', version: '1.2.3', integrity: 'sha512-confined' })
  expect(find()).toBe('sha512-confined')
  // Yarn has none that could be compared. What is installed elsewhere does not run.
  write({ name: '@scope/files', version: '1.2.3' })
  expect(find()).toBeUndefined()
  write({ name: '@scope/files', version: '1.2.2', integrity: 'sha512-older' })
  expect(find()).toBe('sha512-other')
  write({ name: 7, version: [], integrity: {} })
  expect(find()).toBe('sha512-other')
})

/** The first 16 digits of SHA-512 of `@scope/files@1.2.3`. */
const npxFolder = '38854607b0ec8958'

function record(path: string, integrity: string) {
  mkdirSync(join(path, '..'), { recursive: true })
  const packages = { 'node_modules/@scope/files': { version: '1.2.3', integrity } }
  writeFileSync(path, JSON.stringify({ lockfileVersion: 3, packages }))
}
