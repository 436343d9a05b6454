import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { findToolchains } from './toolchains.ts'

/** A home directory with these files, and the toolchains found for these folders of it on the search path. */
function find(
  files: readonly string[],
  searched: readonly string[],
  { mounted = [] as string[], hasHome = true } = {},
) {
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'toolpact-toolchains-')))
  onTestFinished(() => rmSync(home, { recursive: true, force: true }))
  for (const file of files) {
    const [name, target] = file.split(' -> ') as [string, string?]
    mkdirSync(dirname(join(home, name)), { recursive: true })
    if (target === undefined) writeFileSync(join(home, name), '')
    else symlinkSync(join(home, target), join(home, name))
  }
  const toPath = (name: string) => (name.startsWith('/') || name === 'relative' ? name : join(home, name))
  return findToolchains({
    searchPath: searched.map(toPath).join(delimiter),
    mounted: mounted.map(toPath),
    home: hasHome ? home : undefined,
  }).map((path) => path.replace(`${home}/`, ''))
}

test.skipIf(process.platform === 'win32').each<[string, string[], string[], string[]]>([
  ['an installation as a whole', ['sdk/bin/x', 'sdk/lib/y'], ['sdk/bin'], ['sdk']],
  ['a folder that is only part of a toolchain', ['tools/bin/x', 'tools/secret'], ['tools/bin'], ['tools/bin']],
  ['a folder of another name alone', ['sdk/run/x', 'sdk/lib/y'], ['sdk/run'], ['sdk/run']],
  ['a folder of packages', ['project/.bin/x'], ['project/.bin'], ['project']],
  ['never what holds credentials too', ['.cargo/bin/x', '.cargo/lib/y'], ['.cargo/bin'], ['.cargo/bin']],
  ['never .local as a whole', ['.local/bin/x', '.local/lib/y'], ['.local/bin'], ['.local/bin']],
  ['never the home directory through its bin', ['bin/x', 'lib/y'], ['bin'], ['bin']],
  ['never the home directory, nor what is around it', ['x'], ['', '..', '/'], []],
  ['no relative or missing folder', ['x'], ['relative', 'missing'], []],
  ['a folder once', ['sdk/bin/x', 'sdk/lib/y'], ['sdk/bin', 'sdk/bin'], ['sdk']],
  ['the file behind a link', ['.local/bin/x -> app/x', 'app/x'], ['.local/bin'], ['.local/bin', 'app/x']],
  ['the installation behind a link', ['.local/bin/x -> sdk/bin/x', 'sdk/bin/x', 'sdk/lib/y'], ['.local/bin'], ['.local/bin', 'sdk']], // biome-ignore format: one line
  ['no directory behind a link', ['.local/bin/x -> app', 'app/x'], ['.local/bin'], ['.local/bin']],
  ['both names of a linked folder', ['sdk/bin/x', 'sdk/lib/y', 'current -> sdk'], ['current/bin'], ['current', 'sdk']],
])('the search path makes visible %s', (_, files, searched, found) => {
  expect(find(files, searched)).toEqual(found)
})

test.skipIf(process.platform === 'win32')(
  'what is mounted anyway is not mounted again, nor are its links followed',
  () => {
    const files = ['sdk/bin/x -> app/x', 'sdk/lib/y', 'app/x']
    expect(find(files, ['sdk/bin'], { mounted: ['sdk'] })).toEqual([])
    expect(find(files, ['sdk/bin'])).toEqual(['sdk', 'app/x'])
  },
)

test.skipIf(process.platform === 'win32')('without a home directory installations are found as well', () => {
  expect(find(['sdk/bin/x', 'sdk/lib/y'], ['sdk/bin'], { hasHome: false })).toEqual(['sdk'])
})
