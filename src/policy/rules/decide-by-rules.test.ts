import { expect, test } from 'vitest'
import { toCall, toRule } from '../../../test/helpers/rule-calls.ts'
import type { Rule } from '../../contract/rule.ts'
import { decide, type Modes } from '../decide.ts'
import type { PolicyCall } from '../policy-call.ts'
import { compileRules } from './compile-rules.ts'

const writes = { writes: ['path'] }
const call = toCall({ content: 'x', path: 'src/a.ts' }, writes)
const allow = (more: Partial<Rule> = {}) => toRule('{"content":".*","path":"src/.*"}', more)
const deny = (pattern: string, more: Partial<Rule> = {}) => toRule(pattern, { action: 'deny', ...more })
const ask = (pattern: string, more: Partial<Rule> = {}) => toRule(pattern, { action: 'ask', ...more })

async function decideBy(rules: readonly Rule[], more: Partial<PolicyCall> = {}, modes: Modes = {}) {
  return decide({ ...call, ...more }, { ...modes, rules: await compileRules(rules) })
}

test('deny comes before ask, ask before allow, and the contract last', async () => {
  const rules = [allow({ id: 'a' }), ask('"path":"src/', { id: 'b' }), deny('src', { id: 'c' })]
  expect(await decideBy(rules)).toMatchObject({ action: 'deny', rule: 'c' })
  expect(await decideBy(rules.slice(0, 2))).toMatchObject({ action: 'ask', rule: 'b' })
  expect(await decideBy(rules.slice(0, 1))).toMatchObject({ action: 'allow', rule: 'a' })
  expect(await decideBy([])).toMatchObject({ action: 'ask', rule: 'contract' })
})

test('modes: everything asks, and what is not read_only is denied, whatever is allowed', async () => {
  expect(await decideBy([allow()], {}, { askAll: true })).toMatchObject({ action: 'ask', rule: 'ask-all' })
  expect(await decideBy([allow()], {}, { readOnly: true })).toMatchObject({ action: 'deny', rule: 'read-only' })
  expect(await decideBy([deny('src', { id: 'no' })], {}, { askAll: true })).toMatchObject({
    action: 'deny',
    rule: 'no',
  })
})

test('a rule may ask for, and deny, what the contract allows', async () => {
  const contract = { ...call.contract, approval: 'never' } as const
  expect(await decideBy([], { contract })).toMatchObject({ action: 'allow', rule: 'contract' })
  expect(await decideBy([ask('.*', { id: 'x' })], { contract })).toMatchObject({ action: 'ask', rule: 'x' })
  expect(await decideBy([deny('.*', { id: 'x' })], { contract })).toMatchObject({ action: 'deny', rule: 'x' })
  expect(await decideBy([allow()], { contract })).toMatchObject({ action: 'allow', rule: 'contract' })
})

test('the most specific rule decides among equals: more characters, then the narrower scope, then the older', async () => {
  const workspace = { scope: 'workspace', workspace: call.workspace! } as const
  const wide = { ...allow({ id: 'wide' }), ...workspace }
  const narrow = toRule('{"content":".*","path":"src/a.ts"}', { id: 'narrow' })
  const exact = toRule(String.raw`{"content":"x","path":"src/a\.ts"}`, { id: 'exact' })
  expect(await decideBy([wide, narrow])).toMatchObject({ rule: 'narrow' })
  expect(await decideBy([narrow, wide, exact])).toMatchObject({ rule: 'exact' })
  const here = { ...allow({ id: 'here' }), ...workspace }
  expect(await decideBy([allow({ id: 'everywhere' }), here])).toMatchObject({ rule: 'here' })
  const old = allow({ id: 'old', createdAt: '2025-01-01T00:00:00Z' })
  expect(await decideBy([allow({ id: 'new' }), old])).toMatchObject({ rule: 'old' })
  expect(await decideBy([deny('src', { id: 'short' }), deny('src/a', { id: 'long' })])).toMatchObject({ rule: 'long' })
})

const now = '2026-06-01T12:00:00.000Z'

test.each<[name: string, rule: Rule, reason: string]>([
  ['expires exactly now', allow({ expiresAt: now }), 'it has expired'],
  ['expired long ago', allow({ expiresAt: '2026-05-01T00:00:00Z' }), 'it has expired'],
  ['was made after now', allow({ createdAt: '2026-06-01T12:00:00.001Z' }), 'the clock was moved back'],
  ['is disabled', allow({ disabled: true }), 'it is disabled'],
  ['has an end that is not a valid time', allow({ expiresAt: 'soon' }), "'soon' is not a valid time"],
  ['has a beginning that is not a valid time', allow({ createdAt: '' }), 'is not a valid time'],
  ['is not a regular expression', toRule('{"content":".*","path":"src/(.*"}'), 'a group that is not closed'],
  ['looks ahead', toRule('{"content":".*","path":"(?!b).*"}'), 'looks ahead'],
  ['refers back', toRule('{"content":"(.)","path":"\\1"}'), 'refers back'],
  ['repeats too often', toRule('{"content":".*","path":"a{1,9999}"}'), 'cannot be compiled'],
  ['misses its example', allow({ examples: { match: [{ content: '', path: 'lib/a' }] } }), 'does not match its own example'], // biome-ignore format: one line
  ['matches what it must not', allow({ examples: { mustNotMatch: [call.input] } }), 'must not match its own example'],
])('a rule that %s allows nothing, and the reason says so', async (_name, rule, reason) => {
  const decision = await decideBy([rule])
  expect(decision).toMatchObject({ action: 'ask', rule: 'contract', reason: expect.stringContaining(reason) })
})

test('a rule allows until the moment before it expires, and from the moment when it was made', async () => {
  expect(await decideBy([allow({ expiresAt: '2026-06-01T12:00:00.001Z', createdAt: now })])).toMatchObject({ action: 'allow' }) // biome-ignore format: one line
})

test('a rule is for its own tool, exactly', async () => {
  for (const toolId of ['test.x2', 'test', 'test.', 'test.x.y', 'TEST.X', 'other.x', 'x', '__proto__', 'constructor'])
    expect((await decideBy([allow()], { toolId })).rule).toBe('contract')
  expect((await decideBy([allow({ tool: 'x' }), allow({ tool: 'test' }), allow({ tool: '' })])).rule).toBe('contract')
})

test('a rule holds in its session or workspace only', async () => {
  const inSession: Rule = { ...allow({ id: 's' }), scope: 'session', session: 'one' }
  expect((await decideBy([inSession])).rule).toBe('contract')
  expect((await decideBy([inSession], { caller: { name: 'test', session: 'two' } })).rule).toBe('contract')
  expect((await decideBy([inSession], { caller: { name: 'test', session: 'one' } })).rule).toBe('s')
  const inWorkspace: Rule = { ...allow({ id: 'w' }), scope: 'workspace', workspace: '/home/ada/project' }
  expect((await decideBy([inWorkspace])).rule).toBe('w')
  expect((await decideBy([inWorkspace], { workspace: '/home/ada/project2' })).rule).toBe('contract')
  expect((await decideBy([inWorkspace], { workspace: undefined })).rule).toBe('contract')
})

test.each([
  '"path":"src/',
  'a\\.ts',
  '^{"path":"src/.*"}$',
  '{"path":"src/.*"}',
  '{"path":"/home/ada/project/src/.*"}',
  '{"content":"x"}',
  '.*',
  '',
  '{"path":"lib/.*"}|src',
])('the deny rule %s denies, with or without anchors and further keys', async (pattern) => {
  expect((await decideBy([deny(pattern), allow()])).action).toBe('deny')
})

test.each([
  './secrets/key',
  'src/../secrets/key',
  'secrets//key',
  '/home/ada/project/secrets/key',
  'src/./../secrets/x/../key',
])(
  // biome-ignore format: one line
  'a deny rule for a path denies %s too',
  async (path) => {
    const evasive = toCall({ content: '', path }, writes)
    expect((await decideBy([deny('{"path":"secrets/.*"}')], evasive)).action).toBe('deny')
    expect((await decideBy([deny('"path":"/home/ada/project/secrets/key"')], evasive)).action).toBe('deny')
  },
)

test('a deny rule leaves other calls alone', async () => {
  const others = [deny('{"path":"lib/.*"}'), deny('{"absent":1}'), deny('{}'), deny('{"path":"src/a.ts","x":1}')]
  expect((await decideBy([...others, allow()])).action).toBe('allow')
})

test.each(['(', '(?=a)', 'a{1,9999}', '(?i)src'])(
  'the invalid deny rule %s makes every call of its tool ask',
  async (pattern) => {
    const rules = [deny(pattern, { id: 'broken' }), allow()]
    const decision = await decideBy(rules)
    expect(decision).toMatchObject({ action: 'ask', rule: 'broken', reason: expect.stringMatching(/may deny it, but it is not valid: .*\.$/) }) // biome-ignore format: one line
    expect((await decideBy(rules, { toolId: 'test.y' })).rule).toBe('contract')
    expect((await decideBy([deny(pattern, { disabled: true }), allow()])).action).toBe('allow')
  },
)

test('a deny rule that is wrong about itself still denies', async () => {
  expect((await decideBy([deny('src', { examples: { match: [{ path: 'b' }] } })])).action).toBe('deny')
  expect((await decideBy([deny('src', { expiresAt: 'soon' })])).action).toBe('deny')
  expect((await decideBy([deny('src', { createdAt: '2030-01-01T00:00:00Z' })])).action).toBe('deny')
})

test('a deny rule that is disabled or has expired denies no more', async () => {
  expect((await decideBy([deny('src', { disabled: true }), deny('src', { expiresAt: now }), allow()])).action).toBe(
    'allow',
  )
})

test('an input too long to be matched in reasonable time asks', async () => {
  const content = 'ab'.repeat(5_000_000)
  const long = toCall({ content, path: 'src/a.ts' }, writes)
  const slow = toRule('{"content":"(?:a?b?)+c?(?:a|b)*","path":"src/.*"}')
  expect(await decideBy([slow], long)).toMatchObject({ action: 'ask', reason: expect.stringContaining('too long') })
  expect(await decideBy([deny('(?:a|b)+c', { id: 'd' }), allow()], long)).toMatchObject({ action: 'ask', rule: 'd' })
  expect(await decideBy([allow()], long)).toMatchObject({ action: 'allow' })
})

test('explain tells of every rule of the tool what it means for the call', async () => {
  const rules = [
    allow(),
    allow({ disabled: true }),
    toRule('{"path":"src/.*"}'),
    deny('lib'),
    ask('('),
    allow({ tool: 'y' }),
  ]
  const findings = (await compileRules(rules)).explain(call)
  expect(findings.map(({ rule, result, reason }) => [rules.indexOf(rule), result, reason])).toEqual([
    [0, 'applies', 'it matches the whole input'],
    [1, 'skipped', 'it is disabled'],
    [2, 'skipped', 'it does not name "content"'],
    [3, 'differs', 'its pattern does not match'],
    [4, 'unsure', expect.stringContaining('it is not valid')],
  ])
})

test('problems are data', async () => {
  const set = await compileRules([
    allow(),
    toRule('(', { id: 'a' }),
    toRule('.*', { id: 'b' }),
    deny('[', { id: 'c', tool: 'y' }),
  ])
  expect(set.findProblems()).toEqual([
    { rule: 'a', code: 'invalid_pattern', message: 'The pattern has a group that is not closed.' },
    { rule: 'b', code: 'too_wide', message: expect.stringContaining('every call') },
    { rule: 'c', code: 'invalid_pattern', message: expect.stringContaining('not closed') },
  ])
})

test('a rule for every call of a tool allows, asks or denies any input', async () => {
  expect(await decideBy([toRule('*', { id: 'all' })])).toMatchObject({ action: 'allow', rule: 'all' })
  expect(await decideBy([toRule('*'), deny('src', { id: 'no' })])).toMatchObject({ action: 'deny', rule: 'no' })
  expect(await decideBy([deny('*', { id: 'none' })])).toMatchObject({ action: 'deny', rule: 'none' })
  expect(await decideBy([ask('*', { id: 'asks' }), allow()])).toMatchObject({ action: 'ask', rule: 'asks' })
  expect(await decideBy([toRule('*', { expiresAt: '2026-01-02T00:00:00Z' })])).toMatchObject({ action: 'ask' })
})

test.each([
  ['/etc/passwd', 'absolute'],
  ['../a', 'climbs'],
  ['.git/hooks/pre-commit', 'hidden'],
  ['src/.env', 'hidden'],
])('a rule for every call does not cover %s', async (path, reason) => {
  const { input, canonicalInput } = toCall({ content: 'x', path }, writes)
  const decision = await decideBy([toRule('*')], { input, canonicalInput })
  expect(decision).toMatchObject({ action: 'ask', reason: expect.stringContaining(reason) })
})

test('keys may be in any order: a value is held to the part of its own key alone', async () => {
  const contract = { ...call.contract, input: { ...call.contract.input, properties: { path: {}, content: {} } } }
  const inOrder = (pattern: string, more: Partial<Rule> = {}) => toRule(pattern, { id: 'x', ...more })
  for (const pattern of ['^{"path":"src/.*","content":".*"}$', String.raw`{"path":"src/a\.ts","content":"x"}`])
    expect(await decideBy([inOrder(pattern)], { contract })).toMatchObject({ action: 'allow', rule: 'x' })
  const other = { content: '","path":"src/a', path: 'b' }
  const swapped = toCall(other, writes, { contract })
  expect(await decideBy([inOrder('{"path":"src/.*","content":".*"}')], swapped)).toMatchObject({ action: 'ask' })
})

test('a rule that denies sees the input with its keys sorted and in the order of the contract', async () => {
  const contract = { ...call.contract, input: { ...call.contract.input, properties: { path: {}, content: {} } } }
  for (const pattern of ['a.ts","content":"x', 'x","path":"src'])
    expect(await decideBy([deny(pattern, { id: 'x' })], { contract })).toMatchObject({ action: 'deny', rule: 'x' })
  expect(await decideBy([deny('x","path":"src/b')], { contract })).toMatchObject({ action: 'ask', rule: 'contract' })
})

test('a rule that denies applies in both readings of doubled backslashes; one that allows has the reading it was saved with', async () => {
  const doubled = String.raw`{"content":".*","path":"src/a\\.ts"}`
  const lines = toCall({ content: 'x', path: 'src/a\nts' }, writes)
  for (const more of [{}, lines])
    expect(await decideBy([deny(doubled, { id: 'x' })], more)).toMatchObject({ action: 'deny', rule: 'x' })
  expect(await decideBy([deny(String.raw`a\\w`, { id: 'x' })], toCall({ path: 'ab' }))).toMatchObject({
    action: 'deny',
  })
  expect(await decideBy([toRule(doubled)])).toMatchObject({ action: 'ask' })
  const rules = await compileRules([deny(doubled)])
  expect(rules.explain(call)[0]).toMatchObject({ result: 'applies', reason: expect.stringContaining(String.raw`read as {"content":".*","path":"src/a\.ts"}`) }) // biome-ignore format: one line
})

test('a path behind a symlink is allowed only if what it leads to is allowed too', async () => {
  const path = 'src/link.ts'
  const behind = (real: string) => ({ ...toCall({ content: 'x', path }, writes), realPaths: new Map([[path, real]]) })
  const outside = behind('/home/ada/project/keys/a.ts')
  expect(await decideBy([allow()], outside)).toMatchObject({
    action: 'ask',
    reason: expect.stringContaining("'src/link.ts' leads to '/home/ada/project/keys/a.ts' through a symlink"),
  })
  const allowKeys = toRule('{"content":".*","path":"keys/.*"}')
  expect(await decideBy([allow(), allowKeys], outside)).toMatchObject({ action: 'allow' })
  expect(await decideBy([allowKeys], outside)).toMatchObject({ action: 'ask' })
  expect(await decideBy([allow()], behind('/home/ada/project/src/a.ts'))).toMatchObject({ action: 'allow' })
  const explained = (await compileRules([allow()])).explain(outside)
  expect(explained).toMatchObject([{ result: 'skipped', reason: expect.stringContaining('through a symlink') }])
})

test('a rule that denies or asks sees where a symlink leads, from the workspace and in full', async () => {
  const path = 'src/link.ts'
  const realPaths = new Map([[path, '/home/ada/project/keys/a.ts']])
  const behind = { ...toCall({ content: 'x', path }, writes), realPaths }
  for (const pattern of ['"path":"keys/', '"path":"/home/ada/project/keys/', '"path":"src/link'])
    expect(await decideBy([allow(), deny(pattern)], behind)).toMatchObject({ action: 'deny' })
  expect(await decideBy([allow(), ask('"path":"keys/', { id: 'keys' })], behind)).toMatchObject({ rule: 'keys' })
})

test('without a workspace, the real path of a symlink is matched in full', async () => {
  const realPaths = new Map([['/tmp/link', '/srv/a.ts']])
  const behind = { ...toCall({ content: 'x', path: '/tmp/link' }, writes), workspace: undefined, realPaths }
  expect(await decideBy([deny('"path":"/srv/')], behind)).toMatchObject({ action: 'deny' })
  expect(await decideBy([deny('"path":"srv/')], behind)).toMatchObject({ action: 'ask' })
})
