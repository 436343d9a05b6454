import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { makeFolder } from '../../../test/helpers/open-test-pipeline.ts'
import { openToolpact, type ToolpactOptions } from '../../app/app.ts'
import { defineTool } from '../../contract/define-tool.ts'
import { defineToolset } from '../../contract/define-toolset.ts'
import type { RuleProposal } from '../../contract/rule.ts'
import type { Caller } from '../../contract/tool.ts'
import type { ApprovalRequest } from '../approval/approver.ts'

const write = defineTool(
  {
    name: 'write',
    description: 'Writes a note.',
    risk: 'safe_write',
    effects: { writes: ['path'] },
    input: {
      type: 'object',
      additionalProperties: false,
      required: ['path'],
      properties: { path: { type: 'string' } },
    },
    output: { type: 'object', additionalProperties: false },
  },
  () => ({}),
)

/** Opens Toolpact over a folder; remembers what was asked, and answers yes, with a rule if there is one. */
async function open(
  folder: string,
  {
    choose,
    ...options
  }: ToolpactOptions & { choose?: (request: ApprovalRequest) => Promise<RuleProposal | undefined> } = {},
) {
  const asked: string[] = []
  const workspace = join(folder, 'workspace')
  mkdirSync(workspace, { recursive: true })
  const toolpact = await openToolpact({
    workspace,
    stateDirectory: join(folder, 'state'),
    toolsets: [defineToolset('notes', [write])],
    approver: async (request) => {
      asked.push(request.reason)
      const rule = await choose?.(request)
      return { answer: 'yes', by: 'Ada', ...(rule && { rule }) }
    },
    ...options,
  })
  onTestFinished(() => toolpact.close())
  return { toolpact, asked }
}

test('a rule that is saved with a yes to a call of one caller is for that caller alone', async () => {
  const { toolpact, asked } = await open(makeFolder(), {
    config: { groups: { ops: ['bob'] } },
    choose: async (request) => (await request.offerRules())[0],
  })
  const call = (caller: Caller) => toolpact.call('notes.write', { path: 'a.txt' }, { caller })
  await call({ name: 'ada' })
  await call({ name: 'ada', session: 'another' })
  expect(asked).toHaveLength(1)
  expect((await toolpact.rules.list()).map(({ rule }) => rule.who)).toEqual([['ada']])
  await call({ name: 'bob' })
  expect(asked).toHaveLength(2)
  // The same name at another issuer is another caller.
  await call({ name: 'corp/ada', issuer: 'https://corp.example', subject: 'ada' })
  expect(asked).toHaveLength(3)
})

test("the operator's own callers are one person for rules", async () => {
  const { toolpact, asked } = await open(makeFolder(), { choose: async (request) => (await request.offerRules())[0] })
  const call = (name: string) => toolpact.call('notes.write', { path: 'a.txt' }, { caller: { name } })
  for (const name of ['cli', 'stdio', 'library', 'agent', 'local']) await call(name)
  expect(asked).toHaveLength(1)
  expect((await toolpact.rules.list())[0]!.rule.who).toEqual(['local'])
  await call('ada')
  expect(asked).toHaveLength(2)
})

test('a rule for a group counts for members by their token and by the config; without who, for everybody', async () => {
  const { toolpact, asked } = await open(makeFolder(), { config: { groups: { ops: ['bob'] } } })
  const call = (caller: Caller) => toolpact.call('notes.write', { path: 'a.txt' }, { caller })
  const draft = { tool: 'notes.write', pattern: '*', createdBy: 'Ada' }
  const { id } = await toolpact.rules.add({ ...draft, who: ['group:ops', 'group:ops', 'cy'] })
  expect((await toolpact.rules.list())[0]!.rule.who).toEqual(['group:ops', 'cy'])
  await call({ name: 'ada', groups: ['ops'] })
  await call({ name: 'bob' })
  await call({ name: 'cy' })
  expect(asked).toHaveLength(0)
  await call({ name: 'ada', groups: ['dev'] })
  await call({ name: 'group:ops' })
  await call({ name: 'cli' })
  expect(asked).toHaveLength(3)
  const test = async (caller?: Caller) => {
    const tested = await toolpact.rules.test('notes.write', { path: 'a.txt' }, caller)
    return 'decision' in tested ? [tested.decision.action, tested.findings[0]!.reason] : tested
  }
  expect(await test()).toEqual(['ask', 'it is for other callers'])
  expect(await test({ name: 'bob' })).toEqual(['allow', 'it is for every call of the tool'])
  expect(await test({ name: 'x', groups: ['ops'] })).toEqual(['allow', 'it is for every call of the tool'])
  // Of the calls of the past, those of its callers count.
  expect((await toolpact.rules.preview({ ...draft, who: ['cy'] })).past).toMatchObject({ calls: 6, matched: { allowed: 1, asked: 0 } }) // biome-ignore format: one line
  expect((await toolpact.rules.preview({ ...draft, who: ['group:dev'] })).past?.matched).toMatchObject({ asked: 1 })
  expect((await toolpact.rules.simulate({ remove: [id] })).changed.map(({ call }) => call.caller?.name)).toEqual(['cy', 'bob', 'ada']) // biome-ignore format: one line
  await toolpact.rules.add({ ...draft, who: ['*'] })
  await call({ name: 'anybody' })
  expect(asked).toHaveLength(3)
})

test.each([[[]], [['']], [['group:']], [['a\u202eb']], [Array.from({ length: 101 }, (_, n) => `n${n}`)]])(
  'a rule for these callers is refused: %j',
  async (who) => {
    const { toolpact } = await open(makeFolder())
    const draft = { tool: 'notes.write', pattern: '*', createdBy: 'Ada', who }
    expect((await toolpact.rules.check(draft)).problems).toMatchObject([{ code: 'invalid_who' }])
    await expect(toolpact.rules.add(draft)).rejects.toThrow("'who' must be 1 to 100 names")
  },
)

test('a rules file with a wrong who allows nothing', async () => {
  const folder = makeFolder()
  const { toolpact, asked } = await open(folder)
  await toolpact.rules.add({ tool: 'notes.write', pattern: '*', createdBy: 'Ada', who: ['ada'] })
  const path = join(folder, 'state', 'rules.json')
  writeFileSync(path, readFileSync(path, 'utf8').replace('"ada"', ''))
  const { success } = await toolpact.call('notes.write', { path: 'a.txt' }, { caller: { name: 'ada' } })
  expect([success, asked[0]]).toEqual([true, expect.stringContaining("wrong 'who' in rule 1")])
})
