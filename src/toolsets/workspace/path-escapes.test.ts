import { execFileSync } from 'node:child_process'
import { lstatSync, mkdirSync, readdirSync, readFileSync, readlinkSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeFolder } from '../../../test/helpers/open-test-pipeline.ts'
import { openWorkspace } from '../../../test/helpers/open-workspace.ts'
import type { JsonObject } from '../../contract/json.ts'
import { workspace } from './index.ts'

/** Every tool that takes a path, with the rest of its input. */
const tools: readonly (readonly [tool: string, toInput: (path: string) => JsonObject])[] = [
  ['create_file', (path) => ({ path, content: 'x' })],
  ['read_file', (path) => ({ path })],
  ['replace_string_in_file', (path) => ({ path, old_string: 'secret', new_string: 'x' })],
  ['list_dir', (path) => ({ path })],
  ['file_search', (path) => ({ base_path: path, pattern: '**' })],
  ['create_directory', (path) => ({ path })],
  ['resource:file', (path) => ({ path })],
]

const outside = ['path_outside_working_dir']
const invalid = ['invalid_path']
/** Expected codes if the path is neither a file nor a directory, or blocks a new one. */
const unfit = ['not_a_file', 'not_a_directory', 'file_exists']

/** Paths in the folder that `build` creates; `BASE` is the parent of the working directory. */
const escapes: readonly (readonly [what: string, path: string, codes: readonly string[]])[] = [
  ['the parent', '..', outside],
  ['a file in the parent', '../secret.txt', outside],
  ['a new file in the parent', '../new', outside],
  ['up through a directory', 'directory/../../secret.txt', outside],
  ['up through what is not there', 'missing/../../secret.txt', outside],
  ['out and in again', '../root/../secret.txt', outside],
  ['an absolute path', 'BASE/secret.txt', outside],
  ['the root of the system', '/', outside],
  ['a sibling with the same beginning', 'BASE/root-evil/secret.txt', outside],
  ['a sibling with the same beginning, relative', '../root-evil', outside],
  ['a link to a file outside', 'file-link', [...outside, 'file_exists']],
  ['a link to a directory outside', 'directory-link', [...outside, 'file_exists']],
  ['a file behind a link to a directory outside', 'directory-link/secret.txt', outside],
  ['a new file behind a link to a directory outside', 'directory-link/new', outside],
  ['a new file behind two links', 'inner-link/directory-link/a/b', outside],
  ['a relative link outside', 'up-link/secret.txt', outside],
  ['a dangling link outside', 'dangling-link', [...outside, 'file_exists']],
  ['below a dangling link outside', 'dangling-link/new', outside],
  ['a link to /dev/zero', 'zero-link', [...outside, 'file_exists']],
  ['a link to the memory of the process', 'memory-link', [...outside, 'file_exists']],
  ['a device', '/dev/zero', outside],
  ['the root by way of /proc', '/proc/self/root/etc/passwd', outside],
  ['the working directory by way of /proc', '/proc/self/rootBASE/root/directory', outside],
  ['a NUL character', 'directory\0/../../secret.txt', invalid],
  ['a NUL character at the end', 'directory/new\0.txt', invalid],
  ['a name that is too long', `directory/${'x'.repeat(256)}`, invalid],
  ['links in a circle', 'circle', [...invalid, 'file_exists']],
  ['below links in a circle', 'circle/new', invalid],
  ['a FIFO', 'fifo', unfit],
  ['a socket', 'socket', unfit],
  ['a long Windows path', '\\\\?\\C:\\secret.txt', outside],
  ['a Windows device', '\\\\.\\PhysicalDrive0', outside],
  ['a UNC path', '\\\\server\\share\\secret.txt', outside],
  ['the root of a drive', 'C:\\secret.txt', outside],
  ['the root of a drive, with slashes', 'C:/secret.txt', outside],
  ["a drive's own directory", 'C:secret.txt', outside],
  ['up with backslashes', '..\\secret.txt', outside],
  ['up with both', 'directory\\../..\\secret.txt', outside],
  ['a URL', 'file:///etc/passwd', outside],
]

test.each(tools)('%s stays inside', async (tool, toInput) => {
  const { base, root } = await build()
  const { call, violations } = openWorkspace({ root })
  const declared = workspace.tools.find(({ contract }) => contract.name === tool)!.contract.errors
  const before = toPicture(base)
  for (const [what, path, codes] of escapes) {
    const result = await call(tool, toInput(path.replaceAll('BASE', base)))
    expect(result, what).toMatchObject({ success: false })
    if (result.success) continue
    expect(codes, what).toContain(result.error.code)
    expect(declared.map(({ code }) => code)).toContain(result.error.code)
    expect(result.error.suggestion, what).not.toBe('')
    expect(JSON.stringify(result), what).not.toContain('treasure')
  }
  expect(toPicture(base)).toEqual(before)
  expect(violations).toEqual([])
})

test('every tool whose contract names a path is in the table', () => {
  const withPath = workspace.tools
    .filter(({ contract: { effects } }) => effects.reads?.length || effects.writes?.length)
    .map(({ contract }) => contract.name)
  expect(tools.map(([tool]) => tool).sort()).toEqual([...withPath].sort())
})

async function build(): Promise<{ base: string; root: string }> {
  const base = makeFolder()
  const root = join(base, 'root')
  for (const folder of ['root/directory', 'root-evil']) mkdirSync(join(base, folder), { recursive: true })
  for (const file of ['secret.txt', 'root-evil/secret.txt', 'root/inside.txt'])
    writeFileSync(join(base, file), 'secret treasure\n')
  const links = {
    'file-link': join(base, 'secret.txt'),
    'directory-link': base,
    'up-link': '..',
    'inner-link': '.',
    'dangling-link': join(base, 'new'),
    'zero-link': '/dev/zero',
    'memory-link': '/proc/self/mem',
    circle: 'circle',
  }
  for (const [name, target] of Object.entries(links)) symlinkSync(target, join(root, name))
  execFileSync('mkfifo', [join(root, 'fifo')])
  makeSocket(join(root, 'socket'))
  return { base, root }
}

/** An orphaned socket: the process that created it is gone. */
function makeSocket(path: string): void {
  const code = `require('node:net').createServer().listen(${JSON.stringify(path)}, () => process.kill(process.pid, 'SIGKILL'))`
  try {
    execFileSync(process.execPath, ['-e', code], { stdio: 'ignore' })
  } catch {
    // Expected: the process kills itself.
  }
  expect(lstatSync(path).isSocket()).toBe(true)
}

/** A snapshot of a folder: names, kinds and contents. Does not follow links. */
function toPicture(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return [path, ...toPicture(path)]
    if (entry.isFile()) return [`${path}: ${readFileSync(path, 'utf8')}`]
    return [entry.isSymbolicLink() ? `${path} -> ${readlinkSync(path)}` : path]
  })
}
