import { mkdirSync, mkdtempSync, realpathSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { findCodeRoots, findNamedFolders } from './code-root.ts'
import { findInstalledBin, isSettled, type NpmCommand, readNpmCommand, toPackageFolder } from './npm-package.ts'
import { exceeds, watchFolder } from './watch-folder.ts'

/** A home directory with these files. */
function makeHome(...files: string[]) {
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'toolpact-parts-')))
  for (const file of files) {
    mkdirSync(dirname(join(home, file)), { recursive: true })
    writeFileSync(join(home, file), 'x'.repeat(1000))
  }
  return home
}

test.each<[string, string[], string, NpmCommand | undefined]>([
  ['npx', ['-y', 'server', 'a'], 'a name', { spec: 'server', args: ['a'] }],
  [
    '/usr/bin/npx',
    ['--yes', '@scope/server@1.2.3', '--', 'a'],
    'a version',
    { spec: '@scope/server@1.2.3', args: ['a'] },
  ],
  ['npm', ['exec', '--', 'server@latest'], 'npm exec', { spec: 'server@latest', args: [] }],
  ['npx', ['-p', 'pack', 'tool', '-v'], 'a program of a package', { spec: 'pack', bin: 'tool', args: ['-v'] }],
  ['npx', ['--package=pack', 'tool'], 'the same', { spec: 'pack', bin: 'tool', args: [] }],
  ['npx', ['--registry', 'http://r', 'server'], 'an option with a value', { spec: 'server', args: [] }],
  ['npx', ['-p', 'a', '-p', 'b', 'tool'], 'two packages', undefined],
  ['npx', ['-c', 'server'], 'a shell', undefined],
  ['npx', ['-y', './folder'], 'a folder', undefined],
  ['npx', ['-y', 'github:a/b'], 'a repository', undefined],
  ['npx', ['-y', 'https://a/b.tgz'], 'an address', undefined],
  ['npx', ['-y'], 'nothing', undefined],
  ['npm', ['start'], 'another command', undefined],
  ['node', ['server.js'], 'another program', undefined],
])('the package of %s %j: %s', (command, args, _, found) => {
  expect(readNpmCommand(command, args)).toEqual(found)
})

test.each([
  ['server', true],
  ['@scope/server', true],
  ['server@1.2.3', true],
  ['@scope/server@1.2.3-beta', true],
  ['server@latest', false],
  ['@scope/server@^1.2.0', false],
])('an installed %s is used without asking the registry: %s', (spec, isKept) => {
  expect(isSettled(spec)).toBe(isKept)
})

test('the program of an installed package is found by the rule of npx', () => {
  const folder = toPackageFolder(makeHome(), '@scope/server')
  const install = (bin: unknown, ...names: string[]) => {
    mkdirSync(join(folder, 'node_modules/.bin'), { recursive: true })
    mkdirSync(join(folder, 'node_modules/@scope/server'), { recursive: true })
    writeFileSync(join(folder, 'package.json'), '{"dependencies":{"@scope/server":"^1"}}')
    writeFileSync(join(folder, 'node_modules/@scope/server/package.json'), JSON.stringify({ bin }))
    for (const name of names) writeFileSync(join(folder, 'node_modules/.bin', name), '')
  }
  const path = (name: string) => join(folder, 'node_modules/.bin', name)
  expect(findInstalledBin(folder)).toBeUndefined()
  install('cli.js', 'server', 'one', 'two')
  expect(findInstalledBin(folder)).toBe(path('server'))
  install({ one: 'a.js' })
  expect(findInstalledBin(folder)).toBe(path('one'))
  install({ one: 'a.js', two: 'b.js' })
  expect(findInstalledBin(folder)).toBeUndefined()
  expect(findInstalledBin(folder, 'two')).toBe(path('two'))
  expect(findInstalledBin(folder, 'three')).toBeUndefined()
  install({ one: 'a.js', server: 'b.js' })
  expect(findInstalledBin(folder)).toBe(path('server'))
})

test.skipIf(process.platform === 'win32').each<[string, string[], string[], string[]]>([
  ['the folder with node_modules around it', ['app/node_modules/x', 'app/packages/one/package.json', 'app/packages/one/server.js'], ['app/packages/one/server.js'], ['app']], // biome-ignore format: one line
  ['the nearest folder with a marker', ['app/pyproject.toml', 'app/src/server.py'], ['app/src/server.py'], ['app']],
  ['the folder of the file', ['app/server.mjs', 'app/other'], ['app/server.mjs'], ['app']],
  ['a file in the home directory alone', ['server.js', 'secret'], ['server.js'], ['server.js']],
  ['a file that is not code alone', ['app/package.json', 'app/data.json'], ['app/data.json'], ['app/data.json']],
  ['nothing for an option or a missing file', ['app/server.js'], ['--x', 'app/none.js'], []],
])('the code of a command is %s', (_, files, args, roots) => {
  const home = makeHome(...files)
  expect(findCodeRoots('/usr/bin/env', args, { cwd: home, home }).filter((path) => path.startsWith(home))).toEqual(
    roots.map((root) => join(home, root)),
  )
})

test.skipIf(process.platform === 'win32')('folders that arguments name are found, and nothing else', () => {
  const home = makeHome('notes/a', 'file')
  const args = ['-y', 'notes', './notes', join(home, 'notes'), `--root=${home}`, './file', './none', '.', '']
  expect(findNamedFolders({ args }, home, '/home/other')).toEqual([join(home, 'notes'), home])
})

test('a folder that grows too large is noticed', async () => {
  const home = makeHome('a/b', 'c')
  expect(await exceeds(home, 100_000)).toBe(false)
  expect(await exceeds(home, 4000)).toBe(true)
  expect(await exceeds(join(home, 'none'), 0)).toBe(false)
  await new Promise<void>((resolve) => watchFolder(home, 4000, resolve, 10))
  watchFolder(home, 4000, () => {}, 10)()
})
