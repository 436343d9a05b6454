import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openFiles } from './files.ts'

let root: string
const bytes = (text: string) => new TextEncoder().encode(text)

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'toolpact-files-')))
})

afterEach(() => {
  rmSync(root, { recursive: true, force: true })
})

describe('readLines', () => {
  const put = (content: string | Uint8Array) => writeFileSync(join(root, 'a.txt'), content)
  const read = (options?: Parameters<ReturnType<typeof openFiles>['readLines']>[1]) =>
    openFiles({ root }).readLines('a.txt', options)

  test('returns a whole file with its counts', async () => {
    put('one\ntwo\nthree\n')
    expect(await read()).toMatchObject({
      path: 'a.txt',
      text: 'one\ntwo\nthree\n',
      startLine: 1,
      endLine: 3,
      totalLines: 3,
      sizeBytes: 14,
      truncated: false,
      binary: false,
      validUtf8: true,
    })
  })

  test('returns a range, and the total of the file', async () => {
    put('1\n2\n3\n4\n5')
    expect(await read({ start: 2, end: 3 })).toMatchObject({ text: '2\n3\n', startLine: 2, endLine: 3, totalLines: 5 })
    expect(await read({ start: 4 })).toMatchObject({ text: '4\n5', startLine: 4, endLine: 5, totalLines: 5 })
    expect(await read({ start: 5, end: 99 })).toMatchObject({ text: '5', endLine: 5 })
  })

  test('returns nothing past the end', async () => {
    put('1\n2\n')
    expect(await read({ start: 3, end: 9 })).toMatchObject({ text: '', startLine: 3, endLine: 2, totalLines: 2 })
  })

  test('an empty file has no lines', async () => {
    put('')
    expect(await read()).toMatchObject({ text: '', totalLines: 0, endLine: 0, sizeBytes: 0, binary: false })
  })

  test('counts a last line without its end', async () => {
    put('a\nb')
    expect(await read()).toMatchObject({ text: 'a\nb', totalLines: 2, endLine: 2 })
    put('\n')
    expect(await read()).toMatchObject({ text: '\n', totalLines: 1, endLine: 1 })
  })

  test('keeps CRLF and drops the byte order mark', async () => {
    put('\ufeffa\r\nb\r\n')
    expect(await read()).toMatchObject({ text: 'a\r\nb\r\n', byteOrderMark: true, totalLines: 2 })
    expect(await read({ start: 2 })).toMatchObject({ text: 'b\r\n', byteOrderMark: false })
    for (const bytes of [[0xef], [0xef, 0xbb], [0xef, 0xbb, 0xbe], [0xef, 0xbc, 0xbf], [0xee, 0xbb, 0xbf]]) {
      put(Buffer.from(bytes))
      expect(await read()).toMatchObject({ byteOrderMark: false })
    }
  })

  test('replaces bytes that are not UTF-8 and says so', async () => {
    put(Buffer.from([0x61, 0xff, 0x62, 0x0a]))
    expect(await read()).toMatchObject({ text: 'a\ufffdb\n', validUtf8: false })
  })

  test('shows the head of a binary file and no text', async () => {
    put(Buffer.concat([Buffer.from([0x7f, 0x45, 0x4c, 0x46, 0]), Buffer.alloc(5000, 1)]))
    const found = await read()
    expect(found).toMatchObject({ binary: true, text: '', sizeBytes: 5005 })
    expect(found.head).toHaveLength(1024)
    expect(found.head[0]).toBe(0x7f)
  })

  test('cuts at a line end and says where to go on', async () => {
    put('aaaa\nbbbb\ncccc\n')
    expect(await read({ maxBytes: 12 })).toMatchObject({
      text: 'aaaa\nbbbb\n',
      endLine: 2,
      totalLines: 3,
      truncated: true,
      nextLine: 3,
      lineCut: false,
    })
    expect(await read({ maxBytes: 15 })).toMatchObject({ truncated: false, endLine: 3 })
    expect(await read({ start: 1, end: 2, maxBytes: 10 })).toMatchObject({ truncated: false, endLine: 2 })
  })

  test('cuts a line that alone is too long, between characters', async () => {
    put(`${'é'.repeat(100)}\nnext\n`)
    const found = await read({ maxBytes: 11 })
    expect(found).toMatchObject({ text: 'ééééé', endLine: 1, nextLine: 2, truncated: true, lineCut: true })
    expect(found.validUtf8).toBe(true)
    put('x'.repeat(50))
    expect(await read({ maxBytes: 10 })).toMatchObject({ text: 'x'.repeat(10), truncated: true, lineCut: true })
    expect(await read({ maxBytes: 10 })).not.toHaveProperty('nextLine')
  })

  test('reads a range over the seams of its chunks as if there were none', async () => {
    const lines = Array.from({ length: 30_000 }, (_, index) => `${index + 1} ${'é'.repeat(index % 37)}\n`)
    put(lines.join(''))
    expect(await read()).toMatchObject({ text: lines.join(''), totalLines: 30_000 })
    expect((await read({ start: 12_000, end: 25_000 })).text).toBe(lines.slice(11_999, 25_000).join(''))
  })

  test('counts a file far beyond the limit in bounded memory', async () => {
    const line = `${'x'.repeat(99)}\n`
    put(line.repeat(600_000))
    const before = process.memoryUsage.rss()
    const found = await read({ start: 2, maxBytes: 1000 })
    expect(found).toMatchObject({ totalLines: 600_000, sizeBytes: 60_000_000, endLine: 11, nextLine: 12 })
    expect(process.memoryUsage.rss() - before).toBeLessThan(40_000_000)
  })

  test('stops when aborted', async () => {
    put('x\n')
    await expect(read({ signal: AbortSignal.abort() })).rejects.toThrow(/abort/i)
  })
})

describe('readWhole and replace', () => {
  test('put back changed bytes and keep everything else of the file', async () => {
    const files = openFiles({ root })
    const path = join(root, 'run.sh')
    const before = Buffer.from([0xef, 0xbb, 0xbf, 0x61, 0x0d, 0x0a, 0x62, 0x0a, 0xff, 0x63])
    writeFileSync(path, before)
    chmodSync(path, 0o751)
    const { bytes: content, identity } = await files.readWhole('run.sh')
    expect(Buffer.from(content)).toEqual(before)
    const after = Buffer.concat([content, Buffer.from('d')])
    expect(await files.replace('run.sh', after, identity)).toMatchObject({ path: 'run.sh', real: path })
    expect(readFileSync(path)).toEqual(after)
    expect(statSync(path).mode & 0o7777).toBe(0o751)
    expect(readdirSync(root)).toEqual(['run.sh'])
  })

  test('refuse a file that changed, with the same size and time too', async () => {
    const files = openFiles({ root })
    const path = join(root, 'a.txt')
    writeFileSync(path, 'old')
    const { identity } = await files.readWhole('a.txt')
    execFileSync('cp', ['-p', path, join(root, 'times')])
    writeFileSync(path, 'odd')
    execFileSync('touch', ['-r', join(root, 'times'), path])
    rmSync(join(root, 'times'))
    expect(statSync(path, { bigint: true }).mtimeNs).toBe(identity.modifiedNs)
    await expect(files.replace('a.txt', bytes('new'), identity)).rejects.toMatchObject({
      code: 'file_changed',
      message: "File 'a.txt' changed since it was read",
    })
    expect(readFileSync(path, 'utf8')).toBe('odd')
    expect(readdirSync(root)).toEqual(['a.txt'])
  })

  test('refuse a file that is gone or is another one by now', async () => {
    const files = openFiles({ root })
    writeFileSync(join(root, 'a.txt'), 'x')
    const { identity } = await files.readWhole('a.txt')
    rmSync(join(root, 'a.txt'))
    await expect(files.replace('a.txt', bytes('y'), identity)).rejects.toMatchObject({ code: 'file_not_found' })
    writeFileSync(join(root, 'b.txt'), 'x')
    await expect(files.replace('b.txt', bytes('y'), identity)).rejects.toMatchObject({ code: 'file_changed' })
  })

  test('of two edits at once one wins and the other is refused', async () => {
    const files = openFiles({ root })
    writeFileSync(join(root, 'a.txt'), 'x')
    const [one, other] = [await files.readWhole('a.txt'), await files.readWhole('a.txt')]
    const results = await Promise.allSettled([
      files.replace('a.txt', bytes('one'), one.identity),
      files.replace('a.txt', bytes('two'), other.identity),
    ])
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    expect(results.find(({ status }) => status === 'rejected')).toMatchObject({ reason: { code: 'file_changed' } })
    expect(['one', 'two']).toContain(readFileSync(join(root, 'a.txt'), 'utf8'))
    expect(readdirSync(root)).toEqual(['a.txt'])
  })

  test('write through a link that stays inside, and keep the link', async () => {
    const files = openFiles({ root })
    mkdirSync(join(root, 'real'))
    writeFileSync(join(root, 'real/a.txt'), 'x')
    symlinkSync('real/a.txt', join(root, 'link.txt'))
    const { path, identity } = await files.readWhole('link.txt')
    expect(path).toBe('real/a.txt')
    await files.replace('link.txt', bytes('y'), identity)
    expect(lstatSync(join(root, 'link.txt')).isSymbolicLink()).toBe(true)
    expect(readFileSync(join(root, 'real/a.txt'), 'utf8')).toBe('y')
  })

  test('leave the other name of a hard link as it was', async () => {
    const outside = mkdtempSync(join(tmpdir(), 'toolpact-outside-'))
    try {
      writeFileSync(join(outside, 'kept'), 'x')
      linkSync(join(outside, 'kept'), join(root, 'a.txt'))
      const files = openFiles({ root })
      const { identity } = await files.readWhole('a.txt')
      await files.replace('a.txt', bytes('y'), identity)
      expect(readFileSync(join(outside, 'kept'), 'utf8')).toBe('x')
      expect(readFileSync(join(root, 'a.txt'), 'utf8')).toBe('y')
    } finally {
      rmSync(outside, { recursive: true })
    }
  })

  test('refuse a file that is too large to hold', async () => {
    writeFileSync(join(root, 'a.txt'), 'x'.repeat(11))
    await expect(openFiles({ root }).readWhole('a.txt', { maxBytes: 10 })).rejects.toMatchObject({
      code: 'file_too_large',
    })
  })
})

describe('createExclusive', () => {
  test('makes a file and its parents', async () => {
    const made = await openFiles({ root }).createExclusive('a/b/c.txt', bytes('hello'))
    expect(made).toEqual({
      path: 'a/b/c.txt',
      real: join(root, 'a/b/c.txt'),
      bytes: 5,
      createdParents: ['a', 'a/b'],
    })
    expect(readFileSync(join(root, 'a/b/c.txt'), 'utf8')).toBe('hello')
    expect(readdirSync(join(root, 'a/b'))).toEqual(['c.txt'])
  })

  test('takes an absolute path inside the root', async () => {
    expect(await openFiles({ root }).createExclusive(join(root, 'x'), bytes(''))).toMatchObject({ path: 'x', bytes: 0 })
  })

  test('fails on whatever is there', async () => {
    const files = openFiles({ root })
    writeFileSync(join(root, 'test.txt'), 'kept')
    mkdirSync(join(root, 'directory'))
    symlinkSync('nowhere', join(root, 'dangling'))
    symlinkSync('/nowhere/outside', join(root, 'dangling-outside'))
    await expect(files.createExclusive('test.txt', bytes('x'))).rejects.toMatchObject({
      code: 'file_exists',
      message: "File 'test.txt' already exists. Use replace_string_in_file to modify",
    })
    for (const path of ['directory', 'dangling', 'dangling-outside', '.'])
      await expect(files.createExclusive(path, bytes('x'))).rejects.toMatchObject({ code: 'file_exists' })
    await expect(files.createExclusive('test.txt/x', bytes('x'))).rejects.toMatchObject({
      code: 'not_a_directory',
      message: "Path 'test.txt' is not a directory",
    })
    expect(readFileSync(join(root, 'test.txt'), 'utf8')).toBe('kept')
    expect(existsSync(join(root, 'nowhere'))).toBe(false)
    expect(readdirSync(root)).toHaveLength(4)
  })

  test('of many at once exactly one wins', async () => {
    const files = openFiles({ root })
    const results = await Promise.allSettled(
      Array.from({ length: 20 }, (_, index) => files.createExclusive('x/y.txt', bytes(`${index}`))),
    )
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    const winner = results.findIndex(({ status }) => status === 'fulfilled')
    expect(readFileSync(join(root, 'x/y.txt'), 'utf8')).toBe(`${winner}`)
    expect(readdirSync(join(root, 'x'))).toEqual(['y.txt'])
  })

  test('refuses paths that git executes', async () => {
    const files = openFiles({ root })
    mkdirSync(join(root, '.git'))
    symlinkSync('.git', join(root, 'alias'))
    for (const path of ['.git/hooks/pre-commit', '.GIT/config', 'alias/hooks/pre-commit', 'alias/config', 'sub/.git'])
      await expect(files.createExclusive(path, bytes('x')), path).rejects.toMatchObject({
        code: 'permission_denied',
        message: `Cannot create file '${path}' - permission denied: git runs programs that are configured there`,
      })
    expect(readdirSync(join(root, '.git'))).toEqual([])
    await files.createExclusive('.gitignore', bytes('x'))
  })
})

describe('createDirectory', () => {
  test('makes parents and says which', async () => {
    const files = openFiles({ root })
    mkdirSync(join(root, 'a'))
    expect(await files.createDirectory('a/b/c')).toMatchObject({
      path: 'a/b/c',
      created: true,
      createdParents: ['a/b'],
    })
    expect(await files.createDirectory('a/b/c')).toMatchObject({ path: 'a/b/c', created: false, createdParents: [] })
    expect(await files.createDirectory('.')).toMatchObject({ path: '.', created: false })
  })

  test('fails on a file', async () => {
    writeFileSync(join(root, 'test.txt'), '')
    for (const path of ['test.txt', 'test.txt/x'])
      await expect(openFiles({ root }).createDirectory(path)).rejects.toMatchObject({
        code: 'not_a_directory',
        message: "Path 'test.txt' exists as a file, cannot create directory",
      })
  })
})

describe('list', () => {
  test('sorts, marks kinds and does not follow links', async () => {
    mkdirSync(join(root, 'b'))
    writeFileSync(join(root, 'a'), '')
    writeFileSync(join(root, 'C'), '')
    symlinkSync('/etc', join(root, 'd'))
    execFileSync('mkfifo', [join(root, 'e')])
    expect(await openFiles({ root }).list('.')).toEqual({
      path: '.',
      entries: [
        { name: 'C', kind: 'file' },
        { name: 'a', kind: 'file' },
        { name: 'b', kind: 'directory' },
        { name: 'd', kind: 'symlink', target: '/etc' },
        { name: 'e', kind: 'other' },
      ],
      total: 5,
      files: 2,
      directories: 1,
    })
  })

  test('pages', async () => {
    for (let index = 0; index < 25; index++) writeFileSync(join(root, String(index).padStart(2, '0')), '')
    const { entries, total } = await openFiles({ root }).list('.', { offset: 20, limit: 10 })
    expect(entries.map(({ name }) => name)).toEqual(['20', '21', '22', '23', '24'])
    expect(total).toBe(25)
  })

  test('reports paths that are missing or not directories', async () => {
    writeFileSync(join(root, 'file.txt'), '')
    await expect(openFiles({ root }).list('file.txt')).rejects.toMatchObject({
      code: 'not_a_directory',
      message: "Path 'file.txt' is not a directory",
    })
    await expect(openFiles({ root }).list('missing')).rejects.toMatchObject({
      code: 'file_not_found',
      message: "Directory 'missing' not found",
    })
  })
})

describe('stat and locate', () => {
  test('report whether a path exists and its real path', async () => {
    const files = openFiles({ root })
    mkdirSync(join(root, 'real'))
    writeFileSync(join(root, 'real/a.txt'), 'abc', { mode: 0o640 })
    symlinkSync('real', join(root, 'link'))
    expect(await files.stat('link/a.txt')).toMatchObject({ path: 'real/a.txt', kind: 'file', size: 3, mode: 0o640 })
    expect(await files.stat('.')).toMatchObject({ path: '.', kind: 'directory' })
    expect(await files.locate('link/a.txt')).toEqual({
      path: 'real/a.txt',
      real: join(root, 'real/a.txt'),
      exists: true,
    })
    expect(await files.locate('link/new/b.txt')).toEqual({
      path: 'real/new/b.txt',
      real: join(root, 'real/new/b.txt'),
      exists: false,
    })
    await expect(files.stat('missing.txt')).rejects.toMatchObject({
      code: 'file_not_found',
      message: "File 'missing.txt' not found",
    })
  })

  test('a message escapes control characters', async () => {
    await expect(openFiles({ root }).stat('a\u001b[2Jb\u202e')).rejects.toMatchObject({
      message: "File 'a\\x1b[2Jb\\u{202e}' not found",
    })
  })
})
