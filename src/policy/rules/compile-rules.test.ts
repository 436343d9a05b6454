import { expect, test } from 'vitest'
import { toCall, toRule } from '../../../test/helpers/rule-calls.ts'
import type { Effects } from '../../contract/contract.ts'
import type { JsonObject } from '../../contract/json.ts'
import { decide } from '../decide.ts'
import type { PolicyCall } from '../policy-call.ts'
import { compileRules } from './compile-rules.ts'

const writes: Effects = { writes: ['path'] }
const runs: Effects = { runs: ['command'] }
const fetches: Effects = { fetches: ['url'] }
const seed = String.raw`^{"path":".*\.txt"}$`

async function decideBy(pattern: string, call: PolicyCall) {
  return decide(call, { rules: await compileRules([toRule(pattern)], { protectedPaths: ['/home/ada/state'] }) })
}

test.each<[pattern: string, input: JsonObject, effects: Effects]>([
  [seed, { path: 'test.txt' }, writes],
  [seed, { path: 'a/b c/ü.txt' }, writes],
  [String.raw`{"path":"src/[^/"]+\.ts"}`, { path: 'src/a.ts' }, writes],
  ['{"path":"/home/ada/project/.*"}', { path: '/home/ada/project/a' }, writes],
  [String.raw`\{"path":"a\{1\}\.txt"\}`, { path: 'a{1}.txt' }, writes],
  ['{"content":".*","path":"a.txt"}', { content: 'one\n\ttwo\r\n"three" \\ {}', path: 'a.txt' }, writes],
  ['{"content":.*,"path":"a.txt"}', { content: '","path":"b.txt', path: 'a.txt' }, writes],
  ['{"path":"a","times":[0-9]+}', { path: 'a', times: 12 }, writes],
  ['{"path":"a","tags":\\["x",".*"\\]}', { path: 'a', tags: ['x', 'y'] }, writes],
  ['{"options":{"depth":[0-9],"path":"x"},"path":"a"}', { options: { depth: 3, path: 'x' }, path: 'a' }, writes],
  ['{"path":"(?:a|b)"}', { path: 'b' }, writes],
  [String.raw`{"we\\"ird\\\\":1}`, { 'we"ird\\': 1 }, {}],
  ['{}', {}, {}],
  ['{"command":"npm test && npm run lint"}', { command: 'npm test && npm run lint' }, runs],
  ['{"command":"npm run [a-z:]+"}', { command: 'npm run test:unit' }, runs],
  ['{"command":"git log --oneline .*"}', { command: 'git log --oneline src/a.ts' }, runs],
  ['{"command":"CI=1 npm test .*"}', { command: 'CI=1 npm test a' }, runs],
  ['{"command":\\["git","log","[a-z]*"\\]}', { command: ['git', 'log', 'main'] }, runs],
  [String.raw`{"url":"https://a\.example/.*"}`, { url: 'https://a.example/b?c=d' }, fetches],
  [String.raw`{"url":"https://a\.example"}`, { url: 'https://a.example' }, fetches],
])('%s allows %j', async (pattern, input, effects) => {
  const { action, reason } = await decideBy(pattern, toCall(input, effects))
  expect({ action, reason }).toEqual({ action: 'allow', reason: expect.stringContaining('allows it.') })
})

test.each<[pattern: string, input: JsonObject, effects: Effects, reason: string]>([
  // Keys that the rule does not name, and wildcards that would reach into them.
  [seed, { content: 'k .txt', path: '/root/.ssh/authorized_keys' }, writes, ''],
  [seed, { path: '/root/.ssh/authorized_keys', x: '.txt' }, writes, ''],
  [seed, { path: 'a.txt', x: '.txt' }, writes, 'does not name "x"'],
  [seed, { path: 'a.txt', 'x.txt': '' }, writes, 'does not name "x.txt"'],
  ['{"path":.*}', { path: 'a', x: 'b' }, writes, 'does not name "x"'],
  ['{"path":"a.*"}', { path: 'ab', x: 'b' }, writes, 'does not name "x"'],
  ['{"path":"a","x":.*}', { path: 'a', x: 1, y: 2 }, writes, 'does not name "y"'],
  ['{"path":"a","x":1}', { path: 'a' }, writes, ''],
  ['{"a":.*,"path":"src/.*"}', { a: { b: 1, path: 'src/x' }, path: '/etc/passwd' }, writes, ''],
  ['{"a":.*,"path":"src/.*"}', { a: '","path":"src/', path: '/etc/passwd' }, writes, ''],
  ['{"content":"(?s:.)*","path":"a"}', { content: '', path: 'a' }, writes, 'flags'],
  // Not anchored, other tools, other values.
  ['{"path":"a"}', { path: 'ab' }, writes, ''],
  ['{"path":"a"}', { path: 'A' }, writes, ''],
  ['{"path":"a"}', { path: ['a'] }, writes, ''],
  [seed, { path: 'test.txt.exe' }, writes, ''],
  [seed, { path: 'testxtxt' }, writes, ''],
  // What cannot be seen.
  [seed, { path: 'a\u202etxt.txt' }, writes, 'U+202E'],
  [seed, { path: 'a\u200b.txt' }, writes, 'U+200B'],
  [seed, { path: 'a\u00ad.txt' }, writes, 'U+00AD'],
  [seed, { path: 'a\u{e0041}.txt' }, writes, 'U+E0041'],
  [seed, { path: 'a\ue000.txt' }, writes, 'U+E000'],
  [seed, { path: 'a\n.txt' }, writes, 'U+000A'],
  [seed, { path: 'a\0.txt' }, writes, 'U+0000'],
  ['{"content":".*","path":"a"}', { content: '\x1b[2J', path: 'a' }, writes, 'U+001B'],
  ['{"content":".*","path":"a"}', { content: 'safe\rrm', path: 'a' }, writes, 'U+000D'],
  ['{"content":.*,"path":"a"}', { content: { '\u2066': 1 }, path: 'a' }, writes, 'U+2066'],
  ['{"content":.*,"path":"a"}', { content: ['\u0085'], path: 'a' }, writes, 'U+0085'],
  ['{"a":"x.*"}', { a: 'x\ny' }, {}, 'U+000A'],
  // Paths.
  ['{"path":"src/.*"}', { path: 'src/../.env' }, writes, "'..'"],
  ['{"path":"src/.*"}', { path: 'src/..' }, writes, "'..'"],
  ['{"path":"src.*"}', { path: 'src\\..\\.env' }, writes, "'..'"],
  [seed, { path: '/etc/a.txt' }, writes, 'absolute'],
  [seed, { path: '~/a.txt' }, writes, 'absolute'],
  [seed, { path: 'C:a.txt' }, writes, 'absolute'],
  [seed, { path: '\\\\host\\share\\a.txt' }, writes, 'absolute'],
  ['{"path":\\[.*"a"\\]}', { path: ['/etc/a', 'a'] }, writes, 'absolute'],
  ['{"path":"/home/ada/.*json"}', { path: '/home/ada/state/rules.json' }, writes, 'contains the rules'],
  // Commands.
  ...[
    'npm test & rm -rf x',
    'npm test; rm x',
    'npm test | sh',
    'npm test $(rm x)',
    'npm test `rm x`',
    'npm test > x',
    'npm test <(x)',
    'npm test << E',
    'npm test # x',
    'npm test *',
    'npm test ~/x',
    'npm test {a,b}',
    "npm test 'unbalanced",
    'npm test "unbalanced',
    'npm test \\x',
    'npm test !x',
    'npm test %PATH%',
    'npm test ^x',
    'npm test\u00a0x',
  ].map((command): [string, JsonObject, Effects, string] => ['{"command":"npm test.*"}', { command }, runs, 'shell characters']), // biome-ignore format: one line
  ['{"command":"npm test.*"}', { command: 'npm test\nrm x' }, runs, 'U+000A'],
  ['{"command":"npm test.*"}', { command: 'npm test\rrm x' }, runs, 'U+000D'],
  ['{"command":"git .*"}', { command: 'git diff --output=/etc/x' }, runs, 'options'],
  ['{"command":"git .*"}', { command: 'git -c core.pager=x log' }, runs, 'options'],
  ['{"command":"find .*"}', { command: 'find . -delete' }, runs, 'options'],
  ['{"command":"rg .*"}', { command: 'rg --pre x y' }, runs, 'options'],
  ['{"command":"git log --oneline .*"}', { command: 'git log --oneline --output=x' }, runs, 'options'],
  ['{"command":\\["git",".*"\\]}', { command: ['git', '--output=x'] }, runs, 'options'],
  ['{"command":\\["git",.*\\]}', { command: ['git', 'push', 'x'] }, runs, 'shell characters'],
  ['{"command":".*npm test"}', { command: 'BASH_ENV=/tmp/x npm test' }, runs, 'which command'],
  ['{"command":"[A-Z_=]+[^ ]* npm test"}', { command: 'NODE_OPTIONS=x npm test' }, runs, 'which command'],
  ['{"command":"CI=1 .*"}', { command: 'CI=1 curl x' }, runs, 'which command'],
  ['{"command":"np.*"}', { command: 'npx x' }, runs, 'which command'],
  ['{"command":"(?:a;b|c)"}', { command: 'a;b' }, runs, 'shell characters'],
  ['{"command":"npx toolpact .*"}', { command: 'npx toolpact rules' }, runs, 'rules themselves'],
  ['{"command":"cp [a-z/.]+"}', { command: 'cp a .local/state/toolpact/rules.json' }, runs, ''],
  ['{"command":"cp .*"}', { command: 'cp a .local/state/toolpact/rules.json' }, runs, 'rules themselves'],
  ['{"command":"cp .*"}', { command: 'cp a /home/ada/state/x' }, runs, 'rules themselves'],
  ['{"command":"echo .*"}', { command: `echo ${'toolpact/'.repeat(100_000)}` }, runs, 'too long to review'],
  // Hosts.
  [String.raw`{"url":"https://a\.example.*"}`, { url: 'https://a.example.attacker.example/' }, fetches, 'host'],
  [String.raw`{"url":"https://a\.example.*"}`, { url: 'https://a.example@attacker.example/' }, fetches, 'host'],
  [String.raw`{"url":"https://a\.example.*"}`, { url: 'https://a.example' }, fetches, 'host'],
  ['{"url":"https://a.example/"}', { url: 'https://aXexample/' }, fetches, 'host'],
  ['{"url":".*"}', { url: 'https://a.example/' }, fetches, 'every call'],
])('%s does not allow %j', async (pattern, input, effects, reason) => {
  const decision = await decideBy(pattern, toCall(input, effects))
  expect(decision).toMatchObject({ action: 'ask', rule: 'contract', reason: expect.stringContaining(reason) })
  if (reason) expect(decision.reason).toMatch(/The rule rule-\d+ does not allow it: .*\.$/)
})

test.each([
  '.*',
  '^.*$',
  '.+',
  '{.*}',
  '^{.*}$',
  '(?s).*',
  String.raw`[\s\S]*`,
  '[^]*',
  '.*"path":.*',
  '{"path":.*',
  '{".*":".*"}',
  '{"path":.*}',
  '{"path":".*"}',
  '{"path":".+"}',
  '{"path":"[^;]*"}',
  '{"path":".{0,200}"}',
  '{"path":"(?:.*)"}',
  String.raw`{"path":"\S*.*"}`,
  String.raw`{"path":"(?:[^"\\]|\\.)*"}`,
  '|{"path":"a"}',
  '{"path":"a"}|.*',
  '(?:{"path":"a"}|.*)',
  '{"path":"a"}.*',
  '({"path":"a"})?.*',
  '{"path":"a"}?',
  '{"pat.":"a"}',
  '{"path" *:"a"}',
  '{"path":"a"*}',
  '^',
  '$',
  '',
])('the too wide pattern %s allows nothing', async (pattern) => {
  const inputs: JsonObject[] = [{ path: 'a' }, { path: '' }, { path: 'a/b' }, {}]
  for (const input of inputs)
    expect((await decideBy(pattern, toCall(input, writes))).action, JSON.stringify(input)).toBe('ask')
})

test.each([
  ['git .*', 'git config core.fsmonitor ./evil'],
  ['git .*', 'git status'],
  ['git st.*', 'git status'],
  ['git status.*', 'git statusx'],
  ['npm [a-z ]+', 'npm config set x'],
  ['find [a-z]+', 'find src'],
  ['tar xf .*', 'tar xf a.tar'],
  ['make [a-z]+', 'make all'],
  ['python3 [a-z.]+', 'python3 a.py'],
  ['cd src && git .*', 'cd src && git config x y'],
  ["'git' .*", "'git' config x y"],
])(
  'a saved rule for %s, made before such programs were listed, asks about %s and says why',
  async (pattern, command) => {
    const decision = await decideBy(`{"command":"${pattern}"}`, toCall({ command }, runs))
    expect(decision).toMatchObject({ action: 'ask', rule: 'contract' })
    expect(decision.reason).toMatch(/so the rule must write out the whole command/)
  },
)

test.each([
  ['git status(?: [a-z]+)*', 'git status src'],
  ['git log.*', 'git log src'],
  ['git config color never', 'git config color never'],
  ['git config x y && ls .*', 'git config x y && ls src'],
])('what a rule for %s pins still runs: %s', async (pattern, command) => {
  expect(await decideBy(`{"command":"${pattern}"}`, toCall({ command }, runs))).toMatchObject({ action: 'allow' })
})
