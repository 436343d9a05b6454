import { chmodSync, chownSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs' // biome-ignore format: one line
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { makePrivateDirectory, readPrivateFile, syncDirectory, writePrivateFile } from './private-file.ts'

function makeFile(): string {
  const directory = realpathSync(mkdtempSync(join(tmpdir(), 'toolpact-private-')))
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }))
  writeFileSync(join(directory, 'state.json'), 'x', { mode: 0o600 })
  return join(directory, 'state.json')
}

test.skipIf(process.platform === 'win32').each([
  [0o600, true],
  [0o644, true],
  [0o620, false],
  [0o602, false],
])('a file, and a directory, of mode %o is trusted: %s', (mode, trusted) => {
  const file = makeFile()
  chmodSync(file, mode)
  const read = () => readPrivateFile(file)
  if (trusted) expect(Buffer.from(read()!).toString()).toBe('x')
  else expect(read).toThrow(/may be written by others .* chmod go-w/)

  const directory = join(file, '..', 'inner')
  mkdirSync(directory)
  chmodSync(directory, mode | 0o100)
  const make = () => makePrivateDirectory(directory)
  if (trusted) expect(make).not.toThrow()
  else expect(make).toThrow(/may be written by others/)
})

test.skipIf(process.getuid?.() !== 0)('a file of another user is not read', () => {
  const file = makeFile()
  chownSync(file, 12345, 12345)
  expect(() => readPrivateFile(file)).toThrow(/belongs to another user.*TOOLPACT_STATE_DIR/)
})

test.skipIf(process.platform === 'win32')(
  'neither a link nor a directory is read, and a missing file is undefined',
  () => {
    const file = makeFile()
    symlinkSync(file, `${file}-link`)
    mkdirSync(`${file}-directory`)
    expect(() => readPrivateFile(`${file}-link`)).toThrow('is a symbolic link')
    expect(() => readPrivateFile(`${file}-directory`)).toThrow('is not a regular file')
    expect(readPrivateFile(`${file}-missing`)).toBeUndefined()
  },
)

test('a write replaces the file, and removes what an earlier attempt has left', () => {
  const file = makeFile()
  writeFileSync(join(file, '..', '.state.json.1'), 'half')
  writePrivateFile(file, 'new')
  expect(Buffer.from(readPrivateFile(file)!).toString()).toBe('new')
  expect(readdirSync(join(file, '..'))).toEqual(['state.json'])
})

test.skipIf(process.platform === 'win32')(
  'a directory that cannot be synced is an error, and not taken for synced',
  () => {
    const file = makeFile()
    expect(() => syncDirectory(join(file, '..'))).not.toThrow()
    expect(() => syncDirectory(`${file}-missing`)).toThrow('ENOENT')
  },
)
