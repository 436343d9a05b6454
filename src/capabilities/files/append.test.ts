import { execFileSync } from 'node:child_process'
import {
  appendFileSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { makeFolder } from '../../../test/helpers/open-test-pipeline.ts'
import { type Files, type FilesOptions, openFiles } from '../files.ts'
import { holdByName } from './held.ts'

interface Opened {
  readonly files: Files
  readonly root: string
  readonly file: string
  add(text: string, options?: { apart?: boolean }): ReturnType<Files['append']>
  text(): string
}

function open(content?: string, options: Partial<FilesOptions> = {}): Opened {
  const root = makeFolder()
  const file = join(root, 'memory/log.jsonl')
  if (content !== undefined) {
    mkdirSync(dirname(file))
    writeFileSync(file, content)
  }
  const files = openFiles({ root, appends: makeFolder(), ...options })
  return {
    files,
    root: files.root,
    file,
    add: (text, more) => files.append('memory/log.jsonl', Buffer.from(text), more),
    text: () => readFileSync(file, 'utf8'),
  }
}

const ways: [string, Partial<FilesOptions>][] = [
  ['with a place for counts', {}],
  ['without a place for counts', { appends: undefined }],
  ['by name', { hold: holdByName }],
]

describe.each(ways)('append %s', (_way, options) => {
  test('creates the file and its folders, then appends', async () => {
    const { root, add, text } = open(undefined, options)
    expect(await add('a')).toEqual({
      path: 'memory/log.jsonl',
      real: join(root, 'memory/log.jsonl'),
      line: 1,
      bytes: 2,
    })
    expect(await add('bé')).toMatchObject({ line: 2, bytes: 4 })
    expect(text()).toBe('a\nbé\n')
    expect(readdirSync(join(root, 'memory'))).toEqual(['log.jsonl'])
  })

  test('keeps a last line without an end, closes it and says which it was', async () => {
    const { add, text } = open('one\n{"tor', options)
    expect(await add('three')).toMatchObject({ line: 3, closedLine: 2, bytes: 7 })
    expect(await add('four')).not.toHaveProperty('closedLine')
    expect(text()).toBe('one\n{"tor\nthree\nfour\n')
  })

  test('entries of several lines count each line, and are separated if requested', async () => {
    const { add, text } = open('', options)
    const apart = { apart: true }
    expect(await add('# A\n\ntext', apart)).toMatchObject({ line: 1, bytes: 10 })
    expect(await add('B', apart)).toMatchObject({ line: 5, bytes: 3 })
    expect(await add('C\n', apart)).toMatchObject({ line: 7 })
    expect(await add('D', apart)).toMatchObject({ line: 9, bytes: 2 })
    expect(text()).toBe('# A\n\ntext\n\nB\n\nC\n\nD\n')
  })

  test('closes an open line and leaves an empty one', async () => {
    const { add, text } = open('a', options)
    expect(await add('b', { apart: true })).toMatchObject({ line: 3, closedLine: 1 })
    expect(text()).toBe('a\n\nb\n')
  })

  test.each([
    ['an append by others', (file: string) => appendFileSync(file, 'x\ny\n'), 6],
    ['an append by others without an end', (file: string) => appendFileSync(file, 'x\ny'), 6],
    ['a cut', (file: string) => truncateSync(file, 2), 2],
    ['a cut to nothing', (file: string) => truncateSync(file, 0), 1],
    ['other lines of the same length', (file: string) => writeFileSync(file, 'a\n\n\n\n\n'), 6],
    ['another file in its place', (file: string) => replaceFile(file, '1\n2\n3\n4\n5\n6\n'), 7],
    ['another file of the same length and end', (file: string) => replaceFile(file, 'a\nb..\n'), 3],
    ['another time alone', (file: string) => utimesSync(file, 1, 1), 4],
  ])('after %s the number of the line is right', async (_what, change, line) => {
    const { file, add, text } = open(undefined, options)
    for (const entry of ['a', 'b', 'c']) await add(entry)
    change(file)
    expect(await add('last')).toMatchObject({ line })
    expect(text().split('\n')[line - 1]).toBe('last')
  })

  test('forty at once in one process keep their order', async () => {
    const { add, text } = open(undefined, options)
    const entries = Array.from({ length: 40 }, (_, index) => `entry ${index}`)
    const done = await Promise.all(entries.map((entry) => add(entry)))
    expect(done.map(({ line }) => line)).toEqual(entries.map((_, index) => index + 1))
    expect(text()).toBe(`${entries.join('\n')}\n`)
  })

  test('refuses directories, hard links, and paths that are closed to writes', async () => {
    const { root, files } = open('kept\n', options)
    linkSync(join(root, 'memory/log.jsonl'), join(root, 'second'))
    symlinkSync('nowhere', join(root, 'dangling'))
    execFileSync('mkfifo', [join(root, 'pipe')])
    mkdirSync(join(root, '.git'))
    const codes = { second: 'not_a_file', memory: 'not_a_file', pipe: 'not_a_file', dangling: 'file_not_found' }
    for (const [path, code] of Object.entries({
      ...codes,
      '.git/config': 'permission_denied',
      'toolpact.json': 'permission_denied',
      'dangling/x': 'file_not_found',
      'memory/log.jsonl/x': 'not_a_directory',
      '../out': 'path_outside_working_dir',
      '': 'invalid_path',
    }))
      await expect(files.append(path, Buffer.from('x')), path).rejects.toMatchObject({ code })
    expect(readFileSync(join(root, 'second'), 'utf8')).toBe('kept\n')
    expect(readdirSync(join(root, '.git'))).toEqual([])
  })

  test('goes to the file that an editor puts in its place at the same moment', async () => {
    const { file, add, text } = open('old\n', options)
    const appended = add('entry')
    replaceFile(file, 'new\nlines\n')
    expect(await appended).toMatchObject({ line: 3 })
    expect(text()).toBe('new\nlines\nentry\n')
  })

  test('follows a link that stays inside, and no other', async () => {
    const { root, files } = open('a\n', options)
    const outside = makeFolder()
    symlinkSync('memory/log.jsonl', join(root, 'inside'))
    symlinkSync(join(outside, 'new'), join(root, 'outside'))
    expect(await files.append('inside', Buffer.from('b'))).toMatchObject({ path: 'memory/log.jsonl', line: 2 })
    await expect(files.append('outside', Buffer.from('b'))).rejects.toMatchObject({ code: 'path_outside_working_dir' })
    expect(readdirSync(outside)).toEqual([])
  })
})

test('processes with different places for counts get the right numbers, and close each other’s torn lines', async () => {
  const { root, file } = open()
  const others = Array.from({ length: 4 }, () => openFiles({ root, appends: makeFolder() }))
  const done: [string, number][] = []
  for (let round = 0; round < 10; round++) {
    if (round % 3 === 2) appendFileSync(file, 'torn')
    const written = await Promise.all(
      others.map(async (files, index) => {
        const entry = `${round} ${index} ${'x'.repeat(round * 700)}`
        return [entry, (await files.append('memory/log.jsonl', Buffer.from(entry))).line] as [string, number]
      }),
    )
    done.push(...written)
  }
  const lines = readFileSync(file, 'utf8').split('\n')
  for (const [entry, line] of done) expect(lines[line - 1]).toBe(entry)
  expect(lines.filter((line) => line === 'torn')).toHaveLength(3)
})

test.skipIf(process.platform !== 'linux')(
  'a file that is moved at the same moment keeps the entry, with a warning',
  async () => {
    const { file, add } = open('old\n')
    const appended = add('entry')
    renameSync(file, `${file}.1`)
    await expect(appended).rejects.toMatchObject({
      code: 'file_changed',
      message: expect.stringContaining('was moved'),
    })
    expect(readFileSync(`${file}.1`, 'utf8')).toBe('old\nentry\n')
  },
)

test('a large file that others append to is not read again', async () => {
  const { file, add } = open('')
  const line = `${'x'.repeat(99)}\n`
  appendFileSync(file, line.repeat(20_000))
  expect(await add('a')).toMatchObject({ line: 20_001 })
  // Other newlines far from the end: a recount would include them.
  const { size } = statSync(file)
  const bytes = readFileSync(file)
  bytes.fill('\n', 0, 50)
  writeFileSync(file, bytes)
  expect(statSync(file).size).toBe(size)
  appendFileSync(file, 'b\nc\n')
  expect(await add('d')).toMatchObject({ line: 20_004 })
})

test('a corrupt line count is ignored and recounted', async () => {
  const appends = makeFolder()
  const { add } = open('a\nb\n', { appends })
  expect(await add('c')).toMatchObject({ line: 3 })
  const kept = readdirSync(appends).filter((name) => name.endsWith('.count'))
  for (const broken of ['', '{', 'null', '{"size":"x"}']) {
    writeFileSync(join(appends, kept[0]!), broken)
    expect(await add('d')).toMatchObject({ line: expect.any(Number) })
  }
  expect(await add('e')).toMatchObject({ line: 8 })
})

test('a place for counts that cannot be used fails the append before anything is written', async () => {
  const { root, file } = open('a\n')
  const files = openFiles({ root, appends: join(root, 'memory/log.jsonl', 'below-a-file') })
  await expect(files.append('memory/log.jsonl', Buffer.from('b'))).rejects.toMatchObject({
    code: expect.stringMatching(/^(?:io_failed|not_a_directory)$/),
  })
  expect(readFileSync(file, 'utf8')).toBe('a\n')
})

test('a call that was cancelled while it waited writes nothing', async () => {
  const { files, text } = open('a\n')
  const cancelled = files.append('memory/log.jsonl', Buffer.from('b'), { signal: AbortSignal.abort() })
  await expect(cancelled).rejects.toThrow()
  expect(text()).toBe('a\n')
})

function replaceFile(file: string, content: string): void {
  writeFileSync(`${file}.new`, content)
  renameSync(`${file}.new`, file)
}
