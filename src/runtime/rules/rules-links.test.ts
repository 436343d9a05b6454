import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { makeFolder } from '../../../test/helpers/open-test-pipeline.ts'
import { openToolpact } from '../../app/app.ts'
import type { RuleProposal } from '../../contract/rule.ts'
import type { ApprovalRequest } from '../approval/approver.ts'

let workspace: string
beforeEach(() => {
  workspace = makeFolder()
  for (const folder of ['src', 'secrets', 'shared']) mkdirSync(join(workspace, folder))
  writeFileSync(join(workspace, 'secrets', 'key'), 'KEY')
  writeFileSync(join(workspace, 'src', 'a.txt'), 'A')
  symlinkSync('../secrets/key', join(workspace, 'src', 'link'))
  symlinkSync('link', join(workspace, 'src', 'twice'))
  symlinkSync('secrets', join(workspace, 'folder'))
  symlinkSync('secrets/missing', join(workspace, 'dangling'))
})

/** Opens Toolpact over the workspace; remembers why each question was asked. */
async function open(choose: (request: ApprovalRequest) => Promise<RuleProposal | undefined> = async () => undefined) {
  const asked: string[] = []
  const approver = async (request: ApprovalRequest) => {
    asked.push(request.reason)
    const rule = await choose(request)
    return { answer: 'yes', by: 'ada', ...(rule && { rule }) } as const
  }
  const toolpact = await openToolpact({ workspace, stateDirectory: makeFolder(), approver })
  onTestFinished(() => toolpact.close())
  const add = (action: 'allow' | 'ask' | 'deny', tool: string, pattern: string) =>
    toolpact.rules.add({ tool: `workspace.${tool}`, pattern, action, createdBy: 'ada' })
  const call = (tool: string, input: object) => toolpact.call(`workspace.${tool}`, input)
  return { ...toolpact, asked, add, call }
}

test.each(['src/link', 'src/twice', 'folder/key', './folder/../folder/key'])(
  'a rule that denies a folder denies %s, which leads there through symlinks',
  async (path) => {
    const { add, call } = await open()
    await add('deny', 'read_file', '"path":"secrets/')
    expect(await call('read_file', { path })).toMatchObject({ error: { code: 'denied' } })
    expect(await call('read_file', { path: 'src/a.txt' })).toMatchObject({ success: true })
  },
)

test.each(['folder/new.txt', 'folder/deep/new.txt', 'dangling'])(
  '%s does not exist yet, and is denied where it would be',
  async (path) => {
    const { add, call } = await open()
    await add('deny', 'create_file', '"path":"secrets/')
    expect(await call('create_file', { path, content: 'x' })).toMatchObject({ error: { code: 'denied' } })
  },
)

test('a rule that names the full path applies behind a symlink too', async () => {
  const { add, call } = await open()
  await add('deny', 'read_file', join(workspace, 'secrets').replaceAll('.', '\\.'))
  expect(await call('read_file', { path: 'src/twice' })).toMatchObject({ error: { code: 'denied' } })
})

test('a rule that allows a folder does not allow what a symlink in it leads to, and the question says so', async () => {
  const { add, call, asked, rules } = await open()
  const { id } = await add('allow', 'replace_string_in_file', '{"new_string":".*","old_string":".*","path":"src/.*"}')
  await call('replace_string_in_file', { path: 'src/a.txt', old_string: 'A', new_string: 'B' })
  expect(asked).toEqual([])
  const input = { path: 'src/link', old_string: 'KEY', new_string: 'OTHER' }
  const { decision, findings } = (await rules.test('workspace.replace_string_in_file', input)) as Extract<Awaited<ReturnType<typeof rules.test>>, { decision: unknown }> // biome-ignore format: one line
  expect(decision).toMatchObject({ action: 'ask', rule: 'contract' })
  expect(findings).toMatchObject([{ result: 'skipped', reason: expect.stringContaining('through a symlink') }])
  await call('replace_string_in_file', input)
  expect(asked[0]).toContain(`The rule ${id} does not allow it: 'src/link' leads to '${join(workspace, 'secrets/key')}' through a symlink, and no rule allows that.`) // biome-ignore format: one line
  await add('allow', 'replace_string_in_file', '{"new_string":".*","old_string":".*","path":"secrets/.*"}')
  await call('replace_string_in_file', { path: 'src/link', old_string: 'OTHER', new_string: 'THIRD' })
  expect(asked).toHaveLength(1)
  expect(readFileSync(join(workspace, 'secrets', 'key'), 'utf8')).toBe('THIRD')
})

test('a rule offered for a path behind a symlink allows it as long as the symlink leads to the same file', async () => {
  const choose = async (request: ApprovalRequest) => (await request.offerRules()).find(({ width }) => width === 'file')
  const { call, asked } = await open(choose)
  const edit = (old_string: string, new_string: string) =>
    call('replace_string_in_file', { path: 'src/link', old_string, new_string })
  await edit('KEY', 'B')
  expect(await edit('B', 'C')).toMatchObject({ success: true })
  expect(asked).toHaveLength(1)
  rmSync(join(workspace, 'src', 'link'))
  symlinkSync('a.txt', join(workspace, 'src', 'link'))
  await edit('A', 'D')
  expect(asked).toHaveLength(2)
})
