import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { nodeForOtherUser, otherUser } from '../../../test/helpers/other-user.ts'
import { entries } from '../../../test/helpers/run-command.ts'

test.skipIf(process.platform === 'win32')('a permission error names the action', () => {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'toolpact-permission-')))
  try {
    mkdirSync(join(root, 'closed'))
    mkdirSync(join(root, 'fixed'))
    mkdirSync(join(root, 'open'))
    for (const path of ['closed/f', 'fixed/f', 'open/read-only', 'unreadable']) writeFileSync(join(root, path), 'x')
    chmodSync(join(root, 'closed'), 0o000)
    chmodSync(join(root, 'fixed'), 0o555)
    chmodSync(join(root, 'open'), 0o777)
    chmodSync(join(root, 'open/read-only'), 0o444)
    chmodSync(join(root, 'unreadable'), 0o000)
    chmodSync(root, 0o755)
    const words = {
      create: "permission_denied: Cannot create file 'fixed/new' - permission denied",
      createDeep: "permission_denied: Cannot create file 'fixed/a/b' - permission denied",
      read: "permission_denied: Cannot read file 'unreadable' - permission denied",
      readDeep: "permission_denied: Cannot read file 'closed/f' - permission denied",
      list: 'permission_denied: Cannot list directory - permission denied',
      make: 'permission_denied: Cannot create directory - permission denied',
      // Nothing has to be written.
      makeExisting: 'done',
      replace: "permission_denied: Cannot modify file 'open/read-only' - permission denied",
      replaceFixed: "permission_denied: Cannot modify file 'fixed/f' - permission denied",
      append: "permission_denied: Cannot append to file 'open/read-only' - permission denied",
    }
    expect(attempt(root)).toEqual({ done: words, checked: words })
  } finally {
    for (const path of ['closed', 'fixed']) chmodSync(join(root, path), 0o755)
    rmSync(root, { recursive: true, force: true })
  }
})

/** The error of each method, and of its check beforehand. */
function attempt(root: string): { done: object; checked: object } {
  const code = `
    import { openFiles } from ${JSON.stringify(pathToFileURL(entries.files).href)}
    const files = openFiles({ root: ${JSON.stringify(root)} })
    const x = Buffer.from('x')
    const replace = async (path) => files.replace(path, x, (await files.readWhole(path)).identity)
    const attempts = {
      create: () => files.createExclusive('fixed/new', x),
      createDeep: () => files.createExclusive('fixed/a/b', x),
      read: () => files.readLines('unreadable'),
      readDeep: () => files.readLines('closed/f'),
      list: () => files.list('closed'),
      make: () => files.createDirectory('fixed/new'),
      makeExisting: () => files.createDirectory('fixed'),
      replace: () => replace('open/read-only'),
      replaceFixed: () => replace('fixed/f'),
      append: () => files.append('open/read-only', x),
    }
    const { check } = files
    const checks = {
      create: () => check.createExclusive('fixed/new'),
      createDeep: () => check.createExclusive('fixed/a/b'),
      read: () => check.read('unreadable'),
      readDeep: () => check.read('closed/f'),
      list: () => check.list('closed'),
      make: () => check.createDirectory('fixed/new'),
      makeExisting: () => check.createDirectory('fixed'),
      replace: () => check.replace('open/read-only'),
      replaceFixed: () => check.replace('fixed/f'),
      append: () => check.append('open/read-only'),
    }
    const tell = async (calls) => {
      const told = {}
      for (const [name, run] of Object.entries(calls))
        told[name] = await run().then(() => 'done', ({ code, message }) => code + ': ' + message)
      return told
    }
    console.log(JSON.stringify({ checked: await tell(checks), done: await tell(attempts) }))
  `
  return JSON.parse(
    execFileSync(nodeForOtherUser(), ['--input-type=module', '-e', code], { ...otherUser, encoding: 'utf8' }),
  )
}
