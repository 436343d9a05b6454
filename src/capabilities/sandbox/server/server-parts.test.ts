import { mkdirSync, mkdtempSync, realpathSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { findCodeRoots, findNamedFolders } from './code-root.ts'
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
