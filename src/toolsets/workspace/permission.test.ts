import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { makeFolder } from '../../../test/helpers/open-test-pipeline.ts'
import { openWorkspace } from '../../../test/helpers/open-workspace.ts'
import { nodeForOtherUser, otherUser } from '../../../test/helpers/other-user.ts'
import { entries } from '../../../test/helpers/run-command.ts'
import type { CallResult } from '../../contract/call-result.ts'
import type { JsonObject } from '../../contract/json.ts'

test.skipIf(process.platform === 'win32')('permission errors use the wording of the requirements', () => {
  const root = makeFolder()
  for (const folder of ['closed', 'fixed', 'open']) mkdirSync(join(root, folder))
  for (const file of ['unreadable', 'open/read-only']) writeFileSync(join(root, file), 'old')
  chmodSync(join(root, 'closed'), 0o000)
  chmodSync(join(root, 'fixed'), 0o555)
  chmodSync(join(root, 'open'), 0o777)
  chmodSync(join(root, 'open/read-only'), 0o444)
  chmodSync(join(root, 'unreadable'), 0o000)
  chmodSync(root, 0o755)
  const edit = { old_string: 'old', new_string: 'new' }
  const errors = callApart(root, [
    ['create_file', { path: 'fixed/protected.txt', content: '' }],
    ['read_file', { path: 'unreadable' }],
    ['replace_string_in_file', { path: 'open/read-only', ...edit }],
    ['list_dir', { path: 'closed' }],
    ['create_directory', { path: 'fixed/new' }],
  ])
  chmodSync(join(root, 'closed'), 0o755)
  expect(errors).toEqual([
    "permission_denied: Cannot create file 'fixed/protected.txt' - permission denied",
    "permission_denied: Cannot read file 'unreadable' - permission denied",
    "permission_denied: Cannot modify file 'open/read-only' - permission denied",
    'permission_denied: Cannot list directory - permission denied',
    'permission_denied: Cannot create directory - permission denied',
  ])
})

test.skipIf(process.platform === 'win32')('a full disk is io_failed, and leaves no partial file', () => {
  const root = makeFolder()
  chmodSync(root, 0o777)
  writeFileSync(join(root, 'a'), 'old')
  chmodSync(join(root, 'a'), 0o666)
  const calls = [
    ['create_file', { path: 'new', content: 'x'.repeat(20_000) }],
    ['replace_string_in_file', { path: 'a', old_string: 'old', new_string: 'x'.repeat(20_000) }],
    ['list_dir', {}],
  ] as const
  // A file size limit makes a write fail like a full disk.
  expect(callApart(root, calls, { first: 'ulimit -f 8' })).toEqual([
    "io_failed: Cannot create file 'new' - EFBIG",
    "io_failed: Cannot modify file 'a' - EFBIG",
    'Contents of .:\n  a\n',
  ])
})

test.skipIf(process.platform === 'win32').each([
  ['ripgrep', '{}'],
  ['javascript', '{ ripgrep: false }'],
])('a search by %s counts unreadable files separately from ignored ones', (_engine, options) => {
  const root = makeFolder()
  mkdirSync(join(root, 'closed'))
  for (const file of ['a.txt', 'b.txt', '.hidden', 'closed/c.txt']) writeFileSync(join(root, file), 'x')
  chmodSync(join(root, 'closed'), 0o000)
  chmodSync(join(root, 'b.txt'), 0o000)
  chmodSync(root, 0o755)
  const calls = [
    ['grep_search', { pattern: 'x' }],
    ['file_search', { pattern: '*' }],
  ] as const
  const outputs = callApart(root, calls, { options })
  chmodSync(join(root, 'closed'), 0o755)
  expect(outputs).toEqual([
    'Warning: 1 ignored or hidden file was not searched; set include_ignored to search it\n' +
      "Warning: 2 files or folders could not be read\nFound 1 match for 'x':\n  a.txt:1: x\n",
    'Warning: 1 ignored or hidden matching file was not listed; set include_ignored to list it\n' +
      "Warning: 1 file or folder could not be read\nFound 2 files matching '*':\n  a.txt\n  b.txt\n",
  ])
})

/** Files that exist, have a size and cannot be read, such as some of the kernel. */
const unreadable = ['/sys/class/net/lo/speed', '/sys/class/net/lo/phys_port_id'].find((path) => existsSync(path))

test.skipIf(!unreadable)('a file that fails while it is read is io_failed', async () => {
  const [, folder, name] = /^(.*)\/(.*)$/.exec(unreadable!)!
  const { call } = openWorkspace({ root: folder! })
  expect(await call('read_file', { path: name })).toMatchObject({
    success: false,
    error: { code: 'io_failed', status: 500, fixable: false },
  })
})

/** Calls tools in a process of an unprivileged user; returns the text or error of each call. */
function callApart(
  root: string,
  calls: readonly (readonly [string, JsonObject])[],
  { first = ':', options = '{}' } = {},
): string[] {
  const code = `
    import { openWorkspace } from ${JSON.stringify(pathToFileURL(entries.workspace).href)}
    const { call } = openWorkspace({ root: ${JSON.stringify(root)}, ...${options} })
    const results = []
    for (const [tool, input] of ${JSON.stringify(calls)}) results.push(await call(tool, input))
    console.log(JSON.stringify(results))
  `
  const command = ['-c', `${first} && exec "$@"`, 'sh', nodeForOtherUser(), '--input-type=module', '-e', code]
  const results: CallResult[] = JSON.parse(execFileSync('sh', command, { ...otherUser, encoding: 'utf8' }))
  return results.map((result) =>
    result.success ? String(result.output.output) : `${result.error.code}: ${result.error.message}`,
  )
}
