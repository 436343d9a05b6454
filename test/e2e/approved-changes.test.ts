import { existsSync, mkdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openToolpact, type ToolpactOptions } from '../../src/app/app.ts'
import type { CallResult } from '../../src/contract/call-result.ts'
import type { ApprovalRequest, Approver } from '../../src/runtime/approval/approver.ts'
import { createDeferringApprover } from '../../src/runtime/approval/queue-approvers.ts'
import { openMemoryStorage } from '../../src/runtime/storage/memory/memory.ts'
import type { Storage } from '../../src/runtime/storage/storage.ts'
import { makeFolder } from '../helpers/open-test-pipeline.ts'

const edit = { path: 'docs/a.txt', old_string: 'one', new_string: 'two' }
const changed = 'what the call would change, or where, has changed since'

test('a file that changes after the yes is asked about again, with the new changes', async () => {
  const { call, asked, read, folder } = await open(async (count) => {
    if (count === 1) writeFileSync(join(folder, 'docs/a.txt'), 'one more\nrm -rf\n')
    return true
  })
  expect(await call('workspace.replace_string_in_file', edit)).toMatchObject({ success: true })
  expect(asked).toHaveLength(2)
  expect(asked[1]!.request.reason).toContain(changed)
  expect(asked[0]!.shown).not.toContain('rm -rf')
  expect(asked[1]!.shown).toContain('rm -rf')
  expect(read('docs/a.txt')).toBe('two more\nrm -rf\n')
})

test('a parent that is swapped for a link after the yes is asked about again, and a no writes nothing', async () => {
  const { call, asked, folder } = await open(async (count) => {
    if (count === 1) swap(folder)
    return count === 1
  })
  const result = await call('workspace.create_file', { path: 'docs/new.txt', content: 'x' })
  expect(result).toMatchObject({ error: { code: 'approval_denied' } })
  expect(asked).toHaveLength(2)
  expect(asked[0]!.shown).toContain(join(folder, 'docs/new.txt'))
  expect(asked[1]!.shown).toContain(join(folder, 'src/new.txt'))
  expect(existsSync(join(folder, 'src/new.txt'))).toBe(false)
})

test('a file that changes before each answer ends the call, and stays as it is', async () => {
  const { call, asked, read, folder } = await open(async (count) => {
    writeFileSync(join(folder, 'docs/a.txt'), `one ${count}`)
    return true
  })
  expect(await call('workspace.replace_string_in_file', edit)).toMatchObject({
    ran: false,
    error: { code: 'approval_outdated', suggestion: expect.stringContaining('Call again') },
  })
  expect(asked).toHaveLength(3)
  expect(read('docs/a.txt')).toBe('one 3')
})

test('an answer in the queue counts only for the changes that it was given for', async () => {
  const storage = openMemoryStorage()
  const approver = createDeferringApprover({ approvals: storage.approvals, keepMs: 60_000 })
  const { call, folder, read } = await openWith({ storage, approver })
  const first = idOf(await call('workspace.replace_string_in_file', edit))
  await storage.approvals.answer(first, { answer: 'yes', by: 'Ada' }, Date.now())
  writeFileSync(join(folder, 'docs/a.txt'), 'one and another')
  const again = await call('workspace.replace_string_in_file', edit)
  expect(again).toMatchObject({ error: { message: expect.stringContaining(changed) } })
  expect(idOf(again)).not.toBe(first)
  await storage.approvals.answer(idOf(again), { answer: 'yes', by: 'Ada' }, Date.now())
  expect(await call('workspace.replace_string_in_file', edit)).toMatchObject({ success: true })
  expect(read('docs/a.txt')).toBe('two and another')
})

test.each([
  ['workspace.replace_string_in_file', edit, 'one, but other'],
  ['workspace.replace_string_in_file', edit, 'swapped'],
  ['workspace.create_file', { path: 'docs/new.txt', content: 'x' }, 'swapped'],
  ['workspace.create_file', { path: 'docs/new/deep/file.txt', content: 'x' }, 'swapped'],
  ['workspace.create_directory', { path: 'docs/new' }, 'swapped'],
])(
  '%s of %j: a change between the last look and the write (%s) is noticed by the write itself',
  async (tool, input, change) => {
    const storage = openMemoryStorage()
    const { append } = storage.ledger
    const { call, folder, read } = await openWith({
      approver: async () => ({ answer: 'yes', by: 'Ada' }),
      storage: {
        ...storage,
        ledger: {
          ...storage.ledger,
          // The last thing before the run.
          append(record, options) {
            if (record.kind === 'intent' && change === 'swapped') swap(folder)
            else if (record.kind === 'intent') writeFileSync(join(folder, 'docs/a.txt'), change)
            return append(record, options)
          },
        },
      },
    })
    expect(await call(tool, input)).toMatchObject({ error: { code: 'approval_outdated' } })
    expect(read('src/a.txt')).toBe('one')
    if (change !== 'swapped') expect(read('docs/a.txt')).toBe(change)
    expect(existsSync(join(folder, 'src/new.txt'))).toBe(false)
    expect(existsSync(join(folder, 'src/new'))).toBe(false)
  },
)

test('a yes given in one folder, or under other rules, does not count: the call is asked about again and says why', async () => {
  const stateDirectory = makeFolder()
  const approver: Approver = (request, signal) =>
    createDeferringApprover({ approvals: here.toolpact.approvals, keepMs: 60_000 })(request, signal)
  const here = await openWith({ storage: 'sqlite', stateDirectory, approver })
  const there = await openWith({ storage: 'sqlite', stateDirectory, approver })
  const input = { path: 'new' }
  const ask = (where: typeof here) => where.call('workspace.create_directory', input)
  const first = idOf(await ask(here))
  await here.toolpact.approvals.answer(first, { answer: 'yes', by: 'Ada' }, Date.now())
  const elsewhere = await ask(there)
  expect(idOf(elsewhere)).not.toBe(first)
  expect(elsewhere).toMatchObject({ error: { message: expect.stringContaining('it was given for another folder') } })
  const tool = 'workspace.create_directory'
  await here.toolpact.rules.add({ tool, pattern: '{"path":"other"}', action: 'deny', createdBy: 'Ada' })
  const ruled = await ask(here)
  expect(idOf(ruled)).not.toBe(first)
  expect(ruled).toMatchObject({
    error: { message: expect.stringContaining('the rules or policy settings have changed') },
  })
  await here.toolpact.approvals.answer(idOf(ruled), { answer: 'yes', by: 'Ada' }, Date.now())
  // A rule that allows something else makes nothing stricter.
  await here.toolpact.rules.add({ tool, pattern: '{"path":"third"}', createdBy: 'Ada' })
  expect(await ask(here)).toMatchObject({ success: true })
})

/** `docs` becomes a link to `src`. */
function swap(folder: string) {
  renameSync(join(folder, 'docs'), join(folder, 'moved'))
  symlinkSync(join(folder, 'src'), join(folder, 'docs'))
}

function idOf(result: CallResult): string {
  expect(result).toMatchObject({ ran: false, error: { code: 'approval_required' } })
  return (!result.success && result.error.approvalId) || 'none'
}

/** `answer` is asked for each question, after it was shown. */
async function open(answer: (count: number) => Promise<boolean>) {
  const asked: { request: ApprovalRequest; shown: string }[] = []
  const approver: Approver = async (request) => {
    asked.push({ request, shown: JSON.stringify(await request.foresee()) })
    return { answer: (await answer(asked.length)) ? 'yes' : 'no', by: 'Ada' }
  }
  return { ...(await openWith({ approver, storage: 'memory' })), asked }
}

async function openWith(options: ToolpactOptions & { readonly storage: 'sqlite' | 'memory' | Storage }) {
  const folder = makeFolder()
  for (const name of ['docs', 'src']) {
    mkdirSync(join(folder, name))
    writeFileSync(join(folder, name, 'a.txt'), 'one')
  }
  const toolpact = await openToolpact({ workspace: folder, ...options })
  onTestFinished(() => toolpact.close())
  const read = (path: string) => readFileSync(join(folder, path), 'utf8')
  return { toolpact, call: toolpact.call, folder: toolpact.workspace, read }
}
