import { expect } from 'vitest'
import { openRepository } from '../helpers/open-repository.ts'

type Toolset = Parameters<typeof openRepository>[0]

/** Expects that these files of a repository can be read. */
export async function expectReadable(toolset: Toolset, paths: readonly string[]) {
  const { read } = await openRepository(toolset, { files: Object.fromEntries(paths.map((path) => [path, path])) })
  for (const path of paths)
    expect(await read(path), path).toMatchObject({ success: true, output: { content: path, size: path.length } })
}

/** Expects that these files, and those outside, cannot be read although they exist. */
export async function expectDenied(toolset: Toolset, paths: readonly string[]) {
  const inside = paths.filter((path) => !/^(?:\.\.|\/)/.test(path))
  const files = Object.fromEntries(inside.map((path) => [path, 'SECRET']))
  const { read } = await openRepository(toolset, { files })
  for (const path of paths)
    expect(await read(path), path).toMatchObject({ error: { code: 'access_denied', status: 403 } })
}

/** Expects that a file of 1MB is read, and not a byte more. */
export async function expectMegabyte(toolset: Toolset) {
  const files = { 'docs/most': 'x'.repeat(1_048_576), 'docs/more': 'x'.repeat(1_048_577) }
  const { read } = await openRepository(toolset, { files })
  expect(await read('docs/most')).toMatchObject({ success: true, output: { size: 1_048_576 } })
  expect(await read('docs/more')).toMatchObject({ error: { code: 'file_too_large', status: 413 } })
}

/** Expects that a person is asked about each write, and that nothing is written without a yes. */
export async function expectAsked(toolset: Toolset, entry: unknown) {
  const file = 'progress_log.jsonl'
  const { write, asked, memory } = await openRepository(toolset)
  await write(file, entry)
  await write(file, entry)
  expect(asked).toHaveLength(2)
  expect(memory(file)).not.toBe('')
  const refusing = await openRepository(toolset, { answer: 'no' })
  expect(await refusing.write(file, entry)).toMatchObject({ error: { code: 'approval_denied', status: 403 } })
  expect(() => refusing.memory(file)).toThrow('ENOENT')
}

/** Expects that a write leaves what was there before as it was. */
export async function expectAppended(toolset: Toolset, entry: unknown, line: string) {
  const file = 'progress_log.jsonl'
  const before = '{"a":1}\n\n {"b":2}\n'
  const { write, memory } = await openRepository(toolset, { files: { [`.claude/memory/${file}`]: before } })
  await write(file, entry)
  expect(memory(file)).toBe(`${before}${line}\n`)
}
