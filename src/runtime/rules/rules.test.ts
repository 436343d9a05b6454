import { appendFileSync, chmodSync, mkdirSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs' // biome-ignore format: one line
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { makeFolder } from '../../../test/helpers/open-test-pipeline.ts'
import { openToolpact, type ToolpactOptions } from '../../app/app.ts'
import type { CallResult } from '../../contract/call-result.ts'
import { defineTool } from '../../contract/define-tool.ts'
import { defineToolset } from '../../contract/define-toolset.ts'
import type { RuleProposal } from '../../contract/rule.ts'
import type { ApprovalRequest } from '../approval/approver.ts'

const text = { type: 'string' } as const
const output = { type: 'object', additionalProperties: false } as const
const write = defineTool(
  {
    name: 'write',
    description: 'Writes a note.',
    risk: 'safe_write',
    effects: { writes: ['path'] },
    input: { type: 'object', additionalProperties: false, required: ['path'], properties: { path: text, body: { ...text, default: '' } } }, // biome-ignore format: one line
    output,
  },
  () => ({}),
)
const look = defineTool(
  {
    name: 'look',
    description: 'Looks at the notes.',
    risk: 'read_only',
    input: { type: 'object', additionalProperties: false },
    output,
  },
  () => ({}),
)
const notes = defineToolset('notes', [write, look])

/** Opens Toolpact over a folder; remembers what was asked, and answers yes, with a rule if there is one. */
async function open(
  folder: string,
  options: ToolpactOptions & { choose?: (request: ApprovalRequest) => Promise<RuleProposal | undefined> } = {},
) {
  const { choose, ...more } = options
  const asked: string[] = []
  const workspace = join(folder, 'workspace')
  mkdirSync(workspace, { recursive: true })
  const toolpact = await openToolpact({
    workspace,
    stateDirectory: join(folder, 'state'),
    toolsets: [notes],
    approver: async (request) => {
      asked.push(request.reason)
      const rule = await choose?.(request)
      return { answer: 'yes', by: 'Ada', ...(rule && { rule }) }
    },
    ...more,
  })
  onTestFinished(() => toolpact.close())
  const call = (input: unknown = { path: 'a.txt' }, tool = 'notes.write', session?: string) =>
    toolpact.call(tool, input, { caller: { name: 'test', ...(session && { session }) } })
  const decisionOf = async ({ callId }: CallResult) => {
    const [first] = await toolpact.ledger.read({ callId })
    return first && 'decision' in first.record ? first.record.decision : undefined
  }
  return { ...toolpact, call, asked, decisionOf, workspace, path: join(folder, 'state', 'rules.json') }
}

const chooseFile = async (request: ApprovalRequest) =>
  (await request.offerRules()).find(({ width }) => width === 'file')

test('yes, and save this rule: the same file is not asked for again, and the ledger names the rule', async () => {
  const folder = makeFolder()
  const first = await open(folder, { choose: chooseFile })
  expect(await first.call()).toMatchObject({ success: true })
  const [listed] = await first.rules.list()
  expect(listed).toMatchObject({
    state: 'active',
    uses: 0,
    lastUsedAt: null,
    rule: { tool: 'notes.write', action: 'allow', scope: 'workspace', workspace: realpathSync(first.workspace), createdBy: 'Ada' }, // biome-ignore format: one line
  })
  const again = await first.call({ path: 'a.txt', body: 'other\nwords' })
  expect(first.asked).toHaveLength(1)
  expect(await first.decisionOf(again)).toEqual({
    action: 'allow',
    rule: listed!.rule.id,
    reason: `The rule ${listed!.rule.id} allows it.`,
  })
  await first.call({ path: 'b.txt' })
  expect(first.asked).toHaveLength(2)

  const second = await open(folder)
  await second.call()
  expect(second.asked).toEqual([])
  expect((await second.rules.list()).find(({ rule }) => rule.id === listed!.rule.id)).toMatchObject({ uses: 2 })
})

test('a rule holds in its own workspace, and a link to that workspace is that workspace', async () => {
  const folder = makeFolder()
  const { call } = await open(folder, { choose: chooseFile })
  await call()
  const link = join(folder, 'link')
  symlinkSync(join(folder, 'workspace'), link)
  mkdirSync(join(folder, 'other'))
  const linked = await open(folder, { workspace: link })
  await linked.call()
  expect(linked.asked).toHaveLength(0)
  const other = await open(folder, { workspace: join(folder, 'other') })
  await other.call()
  expect(other.asked).toHaveLength(1)
})

test('a rule of a session ends with its session, and is never on disk', async () => {
  const folder = makeFolder()
  const choose = async (request: ApprovalRequest): Promise<RuleProposal> => ({
    ...(await chooseFile(request))!,
    scope: 'session',
  })
  const first = await open(folder, { choose })
  await first.call()
  await first.call()
  expect(first.asked).toHaveLength(1)
  expect(() => readFileSync(first.path)).toThrow('ENOENT')
  const [listed] = await first.rules.list()
  expect(await first.rules.setDisabled(listed!.rule.id, true)).toBe(true)
  await first.rules.setDisabled(listed!.rule.id, false)
  expect(await first.rules.remove(listed!.rule.id)).toBe(true)
  await first.call()
  expect(first.asked).toHaveLength(2)
})

test('a rule of a caller that names its session holds in that session only', async () => {
  const choose = async (request: ApprovalRequest): Promise<RuleProposal> => ({
    ...(await chooseFile(request))!,
    scope: 'session',
  })
  const { call, asked } = await open(makeFolder(), { choose })
  const callIn = (session?: string) => call({ path: 'a.txt' }, 'notes.write', session)
  await callIn('one')
  await callIn('one')
  expect(asked).toHaveLength(1)
  await callIn('two')
  expect(asked).toHaveLength(2)
  await callIn()
  expect(asked).toHaveLength(3)
})

test('a change of the rules file is seen by the next call of a process that runs', async () => {
  const folder = makeFolder()
  const running = await open(folder)
  const other = await open(folder)
  await running.call()
  expect(running.asked).toHaveLength(1)
  const draft = { tool: 'notes.write', pattern: '{"body":".*","path":"a\\.txt"}', createdBy: 'Eve' }
  const { id } = await other.rules.add(draft)
  await running.call()
  expect(running.asked).toHaveLength(1)
  await other.rules.setDisabled(id, true)
  await running.call()
  expect(running.asked[1]).toContain(`The rule ${id} does not allow it: it is disabled.`)
  await other.rules.add({ ...draft, pattern: 'a\\.txt', action: 'deny' })
  expect(await running.call()).toMatchObject({
    error: { code: 'denied', message: expect.stringContaining('denies it.') },
  })
})

test.each<[string, (path: string) => void, string]>([
  ['is damaged', (path) => appendFileSync(path, 'x'), 'is not valid'],
  ['may be written by others', (path) => chmodSync(path, 0o666), 'may be written by others'],
  ['is a link', toLink, 'is a symbolic link'],
])(
  'while the rules file %s, every call asks and says why, and it comes back when it is mended',
  async (_how, spoil, why) => {
    const folder = makeFolder()
    const { rules, call, asked, path } = await open(folder)
    await rules.add({ tool: 'notes.write', pattern: '{"body":".*","path":"a\\.txt"}', createdBy: 'Ada' })
    await call()
    await call({}, 'notes.look')
    expect(asked).toEqual([])
    const before = readFileSync(path)
    spoil(path)
    await call()
    await call({}, 'notes.look')
    expect(asked).toEqual([expect.stringContaining(why), expect.stringContaining(why)])
    await expect(rules.list()).rejects.toThrow(why)
    rmSync(path)
    writeFileSync(path, before, { mode: 0o600 })
    await call()
    expect(asked).toHaveLength(2)
  },
)

function toLink(path: string) {
  rmSync(path)
  symlinkSync('/dev/null', path)
}

test('a rule that would not be used is not saved, and the call that it was to be saved with does not run', async () => {
  const choose = async () => ({ tool: 'notes.write', pattern: '.*' })
  const { call, rules } = await open(makeFolder(), { choose })
  expect(await call()).toMatchObject({ success: false, error: { message: expect.stringContaining('the rule could not be saved') } }) // biome-ignore format: one line
  expect(await rules.list()).toEqual([])
  const other = await open(makeFolder(), { choose: async () => ({ tool: 'notes.look', pattern: '{}' }) })
  expect(await other.call()).toMatchObject({ success: false })
  expect(await other.rules.list()).toEqual([])
})

test('no rule opens the folder where the rules are kept, to whoever names it', async () => {
  const folder = makeFolder()
  const { call, rules, asked, path } = await open(folder, { workspace: folder })
  await rules.add({ tool: 'notes.write', pattern: '{"body":".*","path":"state/.*"}', createdBy: 'Ada' })
  await rules.add({
    tool: 'notes.write',
    pattern: `{"body":".*","path":"${path.replaceAll('.', '\\.')}"}`,
    createdBy: 'Ada',
  })
  await call({ path: 'state/rules.json' })
  await call({ path })
  await call({ path: './state/rules.json' })
  expect(asked).toHaveLength(3)
  expect(asked[0]).toContain('the path leads to the state directory, which contains the rules')
})

test('offers are made only where a rule would help', async () => {
  const offers: number[] = []
  const choose = async (request: ApprovalRequest) => {
    offers.push((await request.offerRules()).length)
    return undefined
  }
  const folder = makeFolder()
  await (await open(folder, { choose })).call()
  await (await open(folder, { choose, policy: { askAll: true } })).call()
  const { rules, call } = await open(folder, { choose })
  await call({ path: 'a/../b' })
  await rules.add({ tool: 'notes.write', pattern: 'a', action: 'ask', createdBy: 'Ada' })
  await call()
  expect(offers).toEqual([4, 0, 0, 0])
})

test('a test of a call tells the decision and what each rule says, and counts nothing', async () => {
  const { rules } = await open(makeFolder())
  const { id } = await rules.add({ tool: 'notes.write', pattern: '{"body":"","path":"a.*"}', createdBy: 'Ada' })
  expect(await rules.test('notes.write', { path: 'ab' })).toMatchObject({
    tool: 'notes.write',
    input: { path: 'ab', body: '' },
    decision: { action: 'allow', rule: id },
    findings: [{ rule: { id }, result: 'applies' }],
  })
  expect(await rules.test('notes.write', { path: 'b' })).toMatchObject({
    decision: { action: 'ask', rule: 'contract' },
  })
  expect(await rules.test('notes.write', { pat: 'b' })).toMatchObject({ problems: expect.any(Array) })
  await expect(rules.test('notes.wrte', {})).rejects.toThrow("There is no tool 'notes.wrte'")
  expect(await rules.list()).toMatchObject([{ uses: 0 }])
})

test('a list tells which rules cannot be used, and why', async () => {
  const { rules, path } = await open(makeFolder())
  await rules.add({ tool: 'notes.look', pattern: '{}', createdBy: 'Ada', scope: 'everywhere' })
  const { rules: saved } = JSON.parse(readFileSync(path, 'utf8'))
  const others = [{ pattern: '(' }, { expiresAt: '2020-01-01T00:00:00Z' }, { disabled: true }, { tool: 'gone.x' }, { tool: 'gone.x', pattern: '.*' }] // biome-ignore format: one line
  const all = [...saved, ...others.map((more, index) => ({ ...saved[0], id: `r${index}`, ...more }))]
  writeFileSync(path, JSON.stringify({ version: 1, rules: all }))
  const states = (await rules.list()).map(({ state, problems }) => [state, problems.map(({ code }) => code)])
  expect(states).toEqual([
    ['active', []],
    ['invalid', ['invalid_pattern']],
    ['expired', ['expired']],
    ['disabled', []],
    ['active', []],
    ['invalid', ['too_wide']],
  ])
})

test('with storage in memory, rules of any scope apply until it is closed', async () => {
  const toolpact = await openToolpact({ storage: 'memory', toolsets: [notes] })
  const draft = { tool: 'notes.write', pattern: '{"body":"","path":"a"}', createdBy: 'Ada' }
  for (const scope of ['session', 'workspace', 'everywhere'] as const) {
    expect(await toolpact.call('notes.write', { path: 'a' })).toMatchObject({ success: false })
    const { id } = await toolpact.rules.add({ ...draft, scope })
    expect(await toolpact.call('notes.write', { path: 'a' })).toMatchObject({ success: true })
    expect(await toolpact.rules.remove(id)).toBe(true)
  }
  expect(await toolpact.rules.remove('absent')).toBe(false)
  expect(await toolpact.rules.setDisabled('absent', true)).toBe(false)
  await toolpact.close()
})

test.each([
  ['was cut short', (path: string) => writeFileSync(path, readFileSync(path).subarray(0, 90))],
  ['is empty', (path: string) => writeFileSync(path, '')],
])(
  'while the rules file %s, what it denied stays denied whatever is answered, and the operator is told',
  async (_how, spoil) => {
    const folder = makeFolder()
    const told: string[] = []
    const running = await open(folder, { watch: (message) => told.push(message) })
    await running.rules.add({ tool: 'notes.write', pattern: 'secret', action: 'deny', createdBy: 'Ada' })
    expect(await running.call({ path: 'secret' })).toMatchObject({ error: { code: 'denied' } })
    spoil(running.path)
    const started = await open(folder)
    expect(started.notices).toEqual([
      expect.stringMatching(/rules\.json .*Denials of its last good version hold.*toolpact rules repair$/),
    ])
    for (const { call, asked } of [running, started]) {
      expect(await call({ path: 'secret' })).toMatchObject({ error: { code: 'denied' } })
      expect(await call({ path: 'other' })).toMatchObject({ success: true })
      expect(asked).toEqual([expect.stringContaining('toolpact rules repair')])
    }
    expect(told).toEqual(started.notices)
    expect(await started.rules.repair()).toMatchObject({ rules: 1 })
    expect(await started.rules.list()).toMatchObject([{ rule: { action: 'deny' }, state: 'active' }])
    await started.call({}, 'notes.look')
    expect(started.asked).toHaveLength(1)
    expect(await started.rules.repair()).toEqual({})
  },
)

test('where a broken rules file has no good version, every call is denied until the operator decides', async () => {
  const folder = makeFolder()
  mkdirSync(join(folder, 'state'), { mode: 0o700 })
  writeFileSync(join(folder, 'state', 'rules.json'), '{"version":1,', { mode: 0o600 })
  const { call, asked, rules, notices } = await open(folder)
  expect(notices).toEqual([expect.stringContaining('every call is denied')])
  expect(await call()).toMatchObject({ error: { code: 'denied', message: expect.stringContaining('toolpact rules repair --discard'), suggestion: expect.stringContaining('toolpact rules repair --discard') } }) // biome-ignore format: one line
  expect(notices[0]).not.toContain('..')
  expect(asked).toEqual([])
  await expect(rules.repair()).rejects.toThrow('There is no last good version')
  expect(await rules.repair(true)).toMatchObject({ rules: 0 })
  expect(await call()).toMatchObject({ success: true })
})

test('a change that was made by hand is kept as the last good version', async () => {
  const { rules, call, path } = await open(makeFolder())
  await rules.add({ tool: 'notes.write', pattern: 'secret', action: 'deny', createdBy: 'Ada' })
  writeFileSync(path, readFileSync(path, 'utf8').replace('"secret"', '"private"'))
  await call()
  writeFileSync(path, '')
  expect(await call({ path: 'private' })).toMatchObject({ error: { code: 'denied' } })
})

test('an expired rule stays expired when the clock is set back, in this process and in later ones', async () => {
  const clock = vi.spyOn(Date, 'now')
  onTestFinished(() => clock.mockRestore())
  const at = (time: string) => clock.mockReturnValue(Date.parse(time))
  const folder = makeFolder()
  at('2026-06-01T10:00:00Z')
  const first = await open(folder)
  const pattern = '{"body":".*","path":"a\\.txt"}'
  const expiresAt = '2026-06-01T12:00:00Z'
  await first.rules.add({ tool: 'notes.write', pattern, expiresAt, scope: 'everywhere', createdBy: 'Ada' })
  writeFileSync(first.path, readFileSync(first.path, 'utf8').replace(/"createdAt": "[^"]+"/, '"createdAt": "2026-06-01T09:00:00Z"')) // biome-ignore format: one line
  await first.call()
  expect(first.asked).toEqual([])
  at('2026-06-01T13:00:00Z')
  await first.call()
  at('2026-06-01T11:00:00Z')
  await first.call()
  expect(first.asked).toEqual([expect.stringContaining('it has expired'), expect.stringContaining('it has expired')])
  // Calls that were recorded with the wrong time do not hide what was known before.
  await first.call({}, 'notes.look')
  await first.close()
  const later = await open(folder)
  await later.call()
  expect(later.asked).toEqual([expect.stringContaining('it has expired')])
  expect(await later.rules.list()).toMatchObject([{ state: 'expired' }])
})

test('a time that was noted while the clock was wrong is named with the clock, and can be reset', async () => {
  const clock = vi.spyOn(Date, 'now')
  onTestFinished(() => clock.mockRestore())
  const at = (time: string) => clock.mockReturnValue(Date.parse(time))
  const folder = makeFolder()
  const [pattern, expiresAt] = ['{"body":".*","path":"a\\.txt"}', '2026-06-02T12:00:00Z']
  const rule = { tool: 'notes.write', pattern, expiresAt, scope: 'everywhere', createdBy: 'Ada' } as const
  at('2026-06-01T10:00:00Z')
  const first = await open(folder)
  await first.rules.add(rule)
  writeFileSync(first.path, readFileSync(first.path, 'utf8').replace(/"createdAt": "[^"]+"/, '"createdAt": "2026-06-01T09:00:00Z"')) // biome-ignore format: one line
  at('2036-01-01T00:00:00Z')
  await first.call()
  await first.close()
  at('2026-06-01T11:00:00Z')
  const later = await open(folder)
  const message =
    /noted the time 2036-01-01T00:00:00\.000Z and the clock says 2026-06-01T11:00:00\.000Z.*toolpact rules repair --reset-clock/
  expect(await later.rules.list()).toMatchObject([{ problems: [{ message: expect.stringMatching(message) }] }])
  await expect(later.rules.add(rule)).rejects.toThrow(message)
  at(expiresAt)
  expect(await later.rules.list()).not.toMatchObject([{ problems: [{ message: expect.stringMatching('clock') }] }])
  at('2026-06-01T11:00:00Z')
  const times = { noted: '2036-01-01T00:00:00.000Z', now: '2026-06-01T11:00:00.000Z' }
  expect(await later.rules.resetClock()).toEqual({ ...times, isReset: true })
  expect(await later.rules.resetClock()).toMatchObject({ noted: times.now, isReset: false })
  await later.close()
  const last = await open(folder)
  expect(await last.rules.list()).toMatchObject([{ state: 'active' }])
  await last.call()
  expect(last.asked).toEqual([])
})
