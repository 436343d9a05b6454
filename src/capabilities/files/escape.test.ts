import { execFileSync } from 'node:child_process'
import {
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Files, openFiles } from '../files.ts'
import { holdByDescriptor, holdByName } from './held.ts'

const ways = [
  { name: 'by descriptor', hold: holdByDescriptor, skip: process.platform !== 'linux' },
  { name: 'by name', hold: holdByName, skip: process.platform === 'win32' },
]

describe.each(ways)('confinement $name', ({ hold, skip }) => {
  let place: string
  let root: string
  let outside: string
  let files: Files

  beforeEach(() => {
    place = realpathSync(mkdtempSync(join(tmpdir(), 'toolpact-escape-')))
    root = join(place, 'root')
    outside = join(place, 'root-evil')
    for (const directory of [root, outside]) mkdirSync(directory)
    writeFileSync(join(outside, 'secret'), 'secret')
    files = openFiles({ root, hold })
  })

  afterEach(() => {
    expect(readdirSync(outside)).toEqual(['secret'])
    expect(readFileSync(join(outside, 'secret'), 'utf8')).toBe('secret')
    rmSync(place, { recursive: true, force: true })
  })

  const operations: Record<string, (path: string) => Promise<unknown>> = {
    readLines: (path) => files.readLines(path),
    readWhole: (path) => files.readWhole(path),
    stat: (path) => files.stat(path),
    locate: (path) => files.locate(path),
    list: (path) => files.list(path),
    createExclusive: (path) => files.createExclusive(path, Buffer.from('x')),
    createDirectory: (path) => files.createDirectory(path),
    append: (path) => files.append(path, Buffer.from('x')),
    replace: (path) =>
      files.replace(path, Buffer.from('x'), { device: 0n, inode: 0n, size: 6, modifiedNs: 0n, digest: '' }),
  }

  test.skipIf(skip).each(Object.keys(operations))('%s refuses every path that leads out', async (name) => {
    symlinkSync(outside, join(root, 'absolute'))
    symlinkSync('../root-evil', join(root, 'relative'))
    symlinkSync('absolute', join(root, 'chain'))
    symlinkSync('/proc/self/root', join(root, 'magic'))
    symlinkSync('/proc/self/cwd', join(root, 'cwd'))
    symlinkSync('..', join(root, 'up'))
    for (const path of [
      '../root-evil/secret',
      '../root-evil',
      `${outside}/secret`,
      'x/../../root-evil/secret',
      '/etc/passwd',
      '/proc/self/root/etc/passwd',
      'absolute/secret',
      'relative/secret',
      'chain/secret',
      'chain/new/deep',
      'absolute/new',
      'magic/etc/passwd',
      'cwd/package.json',
      'up/root-evil/secret',
      'C:\\x',
      '\\\\?\\C:\\x',
      '\\\\server\\share',
      '..\\root-evil\\secret',
    ])
      await expect(operations[name]!(path), path).rejects.toMatchObject({
        code: 'path_outside_working_dir',
        message: `Path '${path}' is outside working directory`,
        suggestion: expect.stringContaining('working directory'),
      })
    for (const path of ['', 'a\0b', 'a\ud800'])
      await expect(operations[name]!(path), path).rejects.toMatchObject({ code: 'invalid_path' })
  })

  test.skipIf(skip)('a symlink to the outside is refused as the last name too', async () => {
    symlinkSync(join(outside, 'secret'), join(root, 'link'))
    for (const name of ['readLines', 'readWhole', 'stat', 'locate', 'list', 'createDirectory', 'append', 'replace'])
      await expect(operations[name]!('link'), name).rejects.toMatchObject({ code: 'path_outside_working_dir' })
    await expect(operations.createExclusive!('link')).rejects.toMatchObject({ code: 'file_exists' })
  })

  test.skipIf(skip)('whether something outside exists does not show', async () => {
    symlinkSync(join(place, 'nothing'), join(root, 'dangling'))
    symlinkSync(join(outside, 'secret'), join(root, 'leading'))
    const codes = await Promise.all(
      ['dangling', 'leading', 'dangling/x', 'leading/x'].map((path) => files.stat(path).catch((error) => error.code)),
    )
    expect(new Set(codes)).toEqual(new Set(['path_outside_working_dir']))
    await expect(files.createDirectory('dangling/x')).rejects.toMatchObject({ code: 'path_outside_working_dir' })
    expect(existsSync(join(place, 'nothing'))).toBe(false)
  })

  test.skipIf(skip)('a dangling chain of 40 symlinks is followed to its end, a longer one is a loop', async () => {
    symlinkSync(join(place, 'nothing'), join(root, '1'))
    for (let links = 2; links <= 41; links++) symlinkSync(`${links - 1}`, join(root, `${links}`))
    await expect(files.stat('40')).rejects.toMatchObject({ code: 'path_outside_working_dir' })
    await expect(files.stat('41')).rejects.toMatchObject({ code: 'invalid_path' })
  })

  test.skipIf(skip)('links that stay inside are followed, circles are not', async () => {
    mkdirSync(join(root, 'a/b'), { recursive: true })
    writeFileSync(join(root, 'a/b/f'), 'inside')
    symlinkSync('a/b', join(root, 'relative'))
    symlinkSync(join(root, 'a'), join(root, 'absolute'))
    symlinkSync('../../absolute/b', join(root, 'a/b/back'))
    symlinkSync('circle', join(root, 'circle'))
    for (const path of ['relative/f', 'absolute/b/f', 'relative/back/back/f'])
      expect(await files.readLines(path)).toMatchObject({ text: 'inside', path: 'a/b/f' })
    expect(await files.createExclusive('absolute/new', Buffer.from(''))).toMatchObject({ path: 'a/new' })
    await expect(files.stat('circle')).rejects.toMatchObject({ code: 'invalid_path' })
  })

  test.skipIf(skip)('a FIFO, a device and a socket are no files, and nothing waits for them', async () => {
    execFileSync('mkfifo', [join(root, 'pipe')])
    const server = createServer().listen(join(root, 'socket'))
    await new Promise((resolve) => server.once('listening', resolve))
    try {
      for (const path of ['pipe', 'socket'])
        for (const read of [files.readLines, files.readWhole])
          await expect(read(path), path).rejects.toMatchObject({
            code: 'not_a_file',
            message: `Path '${path}' is not a regular file`,
          })
      expect(await files.stat('pipe')).toMatchObject({ kind: 'other' })
      const devices = openFiles({ root: '/dev', hold })
      for (const path of ['zero', 'null'])
        await expect(devices.readLines(path)).rejects.toMatchObject({ code: 'not_a_file' })
    } finally {
      await new Promise((resolve) => server.close(resolve))
    }
    await expect(files.readLines('.')).rejects.toMatchObject({
      code: 'not_a_file',
      message: "Path '.' is a directory, not a file",
    })
  })

  test.skipIf(skip)('a root that is a link works by both of its names', async () => {
    symlinkSync('root', join(place, 'alias'))
    const aliased = openFiles({ root: join(place, 'alias'), hold })
    expect(aliased.root).toBe(root)
    writeFileSync(join(root, 'f'), 'x')
    for (const path of ['f', join(root, 'f'), join(place, 'alias/f')])
      expect(await aliased.readLines(path), path).toMatchObject({ path: 'f', text: 'x' })
    await expect(aliased.stat(join(outside, 'secret'))).rejects.toMatchObject({ code: 'path_outside_working_dir' })
  })

  test.skipIf(skip)('under the root / processes, devices and closed directories stay closed', async () => {
    const all = openFiles({ root: '/', denied: [outside], hold })
    writeFileSync(join(root, 'f'), 'x')
    expect(await all.readLines(join(root, 'f').slice(1))).toMatchObject({ text: 'x' })
    expect(await all.readLines(join(root, 'f'))).toMatchObject({ path: join(root, 'f').slice(1) })
    expect(await all.list('.')).toMatchObject({ path: '.' })
    for (const path of ['/proc/self/environ', 'dev/zero', 'sys/kernel', `/proc/self/root${outside}/secret`])
      await expect(all.readLines(path), path).rejects.toMatchObject({ code: 'permission_denied' })
    symlinkSync('/proc/self/root', join(root, 'magic'))
    await expect(all.readLines(join(root, 'magic', outside, 'secret'))).rejects.toMatchObject({
      code: 'permission_denied',
    })
  })

  test.skipIf(skip)('a closed directory is closed by every way, and before it exists', async () => {
    const state = join(root, 'state')
    const closed = openFiles({ root, denied: [state], hold })
    for (const create of [closed.createDirectory('state/x'), closed.createExclusive('state/x', Buffer.from('x'))])
      await expect(create).rejects.toMatchObject({ code: 'permission_denied' })
    expect(existsSync(state)).toBe(false)
    mkdirSync(state)
    writeFileSync(join(state, 'ledger'), 'x')
    symlinkSync('state', join(root, 'link'))
    for (const path of ['state/ledger', 'link/ledger', join(state, 'ledger'), 'x/../state/ledger'])
      await expect(closed.readLines(path), path).rejects.toMatchObject({ code: 'permission_denied' })
    await expect(closed.list('state')).rejects.toMatchObject({ message: 'Cannot list directory - permission denied' })
    expect((await closed.list('.')).entries.map(({ name }) => name)).toEqual(['link'])
  })

  test.skipIf(skip)('names stay as they are written: composed and decomposed are two files', async () => {
    await files.createExclusive('caf\u00e9', Buffer.from('composed'))
    await expect(files.readLines('caf\u00e9')).resolves.toMatchObject({ text: 'composed' })
    const decomposed = await files.readLines('cafe\u0301').catch((error) => error.code)
    expect(['file_not_found', 'composed']).toContain(decomposed.text ?? decomposed)
  })

  test.skipIf(skip)('a hard link is read like any file', async () => {
    writeFileSync(join(place, 'other'), 'linked')
    linkSync(join(place, 'other'), join(root, 'hard'))
    expect(await files.readLines('hard')).toMatchObject({ text: 'linked' })
  })
})

test('a root that goes away is not found', async () => {
  const root = mkdtempSync(join(tmpdir(), 'toolpact-gone-'))
  const files = openFiles({ root })
  rmSync(root, { recursive: true })
  await expect(files.list('.')).rejects.toMatchObject({ code: 'file_not_found' })
  await expect(files.createExclusive('x', Buffer.from(''))).rejects.toMatchObject({ code: 'file_not_found' })
})

test('a root that is missing or a file is refused', () => {
  expect(() => openFiles({ root: join(tmpdir(), 'toolpact-missing') })).toThrow(/Directory '.*' not found/)
  expect(() => openFiles({ root: process.execPath })).toThrow(/is not a directory/)
})
