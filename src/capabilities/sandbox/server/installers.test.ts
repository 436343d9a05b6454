import { execFileSync } from 'node:child_process'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { makeFolder } from '../../../../test/helpers/open-test-pipeline.ts'
import { type LaunchedPackage, readLaunched } from '../../../policy/launched-package.ts'
import { isSettled } from './install-package.ts'
import { findInstalledProgram, readInstalledPackage, toInstall } from './installers.ts'

const folder = '/state/packages/one'

/** What installs the package of a command, of which every program is in an empty folder. */
async function installOf(line: string, environment: { [name: string]: string } = {}, isElsewhere = false) {
  const [command = '', ...args] = line.split(' ')
  const given = { command, program: `/nowhere/${command}`, args, environment, cwd: '/' }
  const install = await toInstall(readLaunched(command, args) as LaunchedPackage, given, { folder, isElsewhere })
  return { ...install, line: install.words.join(' '), registries: install.registries.map(({ href }) => href) }
}

const pypi = ['https://pypi.org/', 'https://files.pythonhosted.org/']

test.each([
  ['npx -y server --x', `/nowhere/npm install --prefix ${folder} --no-audit --no-fund --loglevel=error --fetch-retries=1 --fetch-retry-mintimeout=1000 --registry=https://registry.npmjs.org/ server`], // biome-ignore format: one line
  ['pnpm dlx --allow-build=esbuild server', `/nowhere/pnpm add --dir ${folder} --store-dir ${folder}/store --registry=https://registry.npmjs.org/ --allow-build=esbuild server`], // biome-ignore format: one line
  ['yarn dlx -q -p pack tool', '/nowhere/yarn add pack'],
  ['bunx --bun server', `/nowhere/bun add --cwd ${folder} server`],
  ['uvx --isolated --python 3.12 -p 3.12 --with a server', '/nowhere/uv tool install --compile-bytecode --python=3.12 -p 3.12 --with=a server'], // biome-ignore format: one line
  ['pipx run --no-cache --spec pack==1 tool', '/nowhere/pipx install pack==1'],
])('%s is installed by %s', async (line, words) => {
  const install = await installOf(line)
  expect(install.line).toBe(words)
  expect(install.registries).toEqual(/^(?:uvx|pipx)/.test(line) ? pypi : ['https://registry.npmjs.org/'])
})

test('the registry is the one of the command or of the entry', async () => {
  expect(await installOf('npx --registry http://r.example:1/ server')).toMatchObject({ registries: ['http://r.example:1/'], line: expect.stringContaining('--registry=http://r.example:1/ server') }) // biome-ignore format: one line
  expect(await installOf('npx --registry file:///etc server')).toMatchObject({ registries: ['https://registry.npmjs.org/'] }) // biome-ignore format: one line
  const uv = await installOf('uvx --index internal=https://one.example/simple server', { UV_DEFAULT_INDEX: 'https://two.example/simple', UV_INDEX_STRATEGY: 'x', PIP_FIND_LINKS: '/opt/wheels' }) // biome-ignore format: one line
  expect(uv.registries).toEqual(['https://one.example/simple', 'https://two.example/simple'])
  expect((await installOf('pipx run -i https://one.example/ x')).registries).toEqual(['https://one.example/'])
})

test('each has its folders in the one of the package, and yarn may use HTTP only for its registry', async () => {
  const { environment, files } = await installOf('yarn dlx server', { A: 'b' })
  expect(environment).toMatchObject({ A: 'b', YARN_NODE_LINKER: 'node-modules', YARN_CACHE_FOLDER: `${folder}/store` })
  expect(environment).not.toHaveProperty('YARN_UNSAFE_HTTP_WHITELIST')
  expect(Object.keys(files)).toEqual(['package.json', 'yarn.lock'])
  expect((await installOf('uvx server')).environment).toEqual({ UV_CACHE_DIR: `${folder}/store`, UV_TOOL_DIR: `${folder}/tools`, UV_TOOL_BIN_DIR: `${folder}/bin`, UV_PYTHON_INSTALL_DIR: `${folder}/python` }) // biome-ignore format: one line
})

test('in an image, its programs and settings are its own', async () => {
  expect(await installOf('npx server', {}, true)).toMatchObject({ registries: [], words: ['npm', 'install', ...Array(6).fill(expect.any(String)), expect.any(String), 'server'] }) // biome-ignore format: one line
})

test.each<[string, 'npm' | 'pypi', boolean]>([
  ['server', 'npm', true],
  ['@scope/server', 'npm', true],
  ['@scope/server@1.2.3-beta', 'npm', true],
  ['server@latest', 'npm', false],
  ['@scope/server@^1.2.0', 'npm', false],
  ['github:a/b', 'npm', false],
  ['server', 'pypi', true],
  ['server[all]==1.2', 'pypi', true],
  ['server@1.2', 'pypi', true],
  ['server@latest', 'pypi', false],
  ['server>=1.2', 'pypi', false],
])('%s (%s) is installed once: %s', (spec, registry, isOnce) => {
  expect(isSettled(spec, registry)).toBe(isOnce)
})

function write(place: string, files: { [path: string]: string }) {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(place, path)), { recursive: true })
    writeFileSync(join(place, path), text)
  }
}

const npx = (program?: string) => ({ launcher: 'npm', specs: ['@scope/server'], args: [], options: [], ...(program && { program }) }) as const // biome-ignore format: one line

test('the program of an installed package is found by the rule of npx', () => {
  const place = makeFolder()
  const install = (bin: unknown, ...names: string[]) =>
    write(place, {
      'package.json': '{"dependencies":{"@scope/server":"^1"}}',
      'node_modules/@scope/server/package.json': JSON.stringify({ bin }),
      ...Object.fromEntries(names.map((name) => [`node_modules/.bin/${name}`, ''])),
    })
  expect(findInstalledProgram(place, npx())).toBeUndefined()
  install('cli.js', 'server', 'one', 'two')
  expect(findInstalledProgram(place, npx())).toBe('node_modules/.bin/server')
  install({ one: 'a.js' })
  expect(findInstalledProgram(place, npx())).toBe('node_modules/.bin/one')
  install({ one: 'a.js', two: 'b.js' })
  expect(findInstalledProgram(place, npx())).toBeUndefined()
  expect(findInstalledProgram(place, npx('two'))).toBe('node_modules/.bin/two')
  expect(findInstalledProgram(place, npx('three'))).toBeUndefined()
  install({ one: 'a.js', server: 'b.js' })
  expect(findInstalledProgram(place, npx())).toBe('node_modules/.bin/server')
})

test('the program of a Python package is the named one, the one of its name, or the only one', () => {
  const uv = (spec: string, program?: string) => ({ launcher: 'uv', specs: [spec], args: [], options: [], ...(program && { program }) }) as const // biome-ignore format: one line
  const place = makeFolder()
  expect(findInstalledProgram(place, uv('server'))).toBeUndefined()
  write(place, { 'bin/server': '', 'bin/other': '' })
  expect(findInstalledProgram(place, uv('server[all]==1.0'))).toBe('bin/server')
  expect(findInstalledProgram(place, uv('pack', 'other'))).toBe('bin/other')
  expect(findInstalledProgram(place, uv('pack', 'none'))).toBeUndefined()
  expect(findInstalledProgram(place, uv('pack'))).toBeUndefined()
  const single = makeFolder()
  write(single, { 'bin/other': '' })
  expect(findInstalledProgram(single, uv('git+https://example.com/pack'))).toBe('bin/other')
})

const base = {
  'package.json': '{"dependencies":{"@scope/server":"1.0.0"}}',
  'node_modules/@scope/server/package.json': '{"name":"@scope/server","version":"1.0.0"}',
}

test.each<[string, { [path: string]: string }, string | undefined]>([
  ['npm', { 'package-lock.json': '{"packages":{"node_modules/@scope/server":{"integrity":"sha512-npm=="}}}' }, 'sha512-npm=='], // biome-ignore format: one line
  ['pnpm', { 'pnpm-lock.yaml': "packages:\n\n  '@scope/other@1.0.0':\n    resolution: {integrity: sha512-other}\n\n  '@scope/server@1.0.0':\n    resolution: {integrity: sha512-pnpm==}\n" }, 'sha512-pnpm=='], // biome-ignore format: one line
  ['bun', { 'bun.lock': '{\n  "packages": {\n    "@scope/server": ["@scope/server@1.0.0", "", { "bin": "x" }, "sha512-bun=="],\n  }\n}' }, 'sha512-bun=='], // biome-ignore format: one line
  ['yarn', { 'yarn.lock': '"@scope/server@npm:1.0.0":\n  checksum: 10c0/abc\n' }, undefined],
  ['npm, damaged', { 'package-lock.json': '{' }, undefined],
])('the integrity that %s recorded is read', (_, files, integrity) => {
  const place = makeFolder()
  write(place, { ...base, ...files })
  expect(readInstalledPackage(place)).toEqual({ name: '@scope/server', version: '1.0.0', ...(integrity && { integrity }) }) // biome-ignore format: one line
})

test.skipIf(process.platform === 'win32')('what an install script leaves in place of a file is not followed', () => {
  const place = makeFolder()
  write(place, { 'package.json': '{"dependencies":{"server":"1.0.0","../..":"1"}}', 'node_modules/server/x': '' })
  const outside = makeFolder()
  write(outside, { 'package.json': '{"name":"server","version":"1.0.0"}' })
  symlinkSync(join(outside, 'package.json'), join(place, 'node_modules/server/package.json'))
  expect(readInstalledPackage(place)).toBeUndefined()
  const piped = makeFolder()
  execFileSync('mkfifo', [join(piped, 'package.json')])
  expect(readInstalledPackage(piped)).toBeUndefined()
})
