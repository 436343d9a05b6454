import { expect, test } from 'vitest'
import { toRule } from '../../../test/helpers/rule-calls.ts'
import { canonicalJson } from '../../contract/canonical-json.ts'
import type { Contract } from '../../contract/contract.ts'
import type { JsonObject } from '../../contract/json.ts'
import type { RuleAction } from '../../contract/rule.ts'
import { workspace } from '../../toolsets/workspace/index.ts'
import { decide } from '../decide.ts'
import { checkRule } from './check-rule.ts'
import { compileRules } from './compile-rules.ts'
import { fromShort } from './short-form.ts'

const find = (name: string): Contract => workspace.tools.find(({ contract }) => contract.name === name)!.contract
const terminal = find('run_in_terminal')
const create = find('create_file')
const fetch = find('fetch_webpage')

async function decideShort(short: string, contract: Contract, input: JsonObject, action: RuleAction = 'allow') {
  const made = fromShort(short, contract, action)!
  if ('problem' in made) throw new Error(made.problem)
  const rule = toRule(made.pattern, { tool: contract.name, action })
  const { problems } = await checkRule(rule, contract, Date.now())
  expect(problems).toEqual([])
  const call = {
    toolId: contract.name,
    contract,
    input,
    canonicalInput: canonicalJson(input),
    caller: { name: 'ada' },
    workspace: '/w',
    now: Date.now(),
  }
  return decide(call, { rules: await compileRules([rule]) }).action
}

test.each([
  ['command: git status', 'git status', 'allow'],
  ['command:git status', 'git status', 'allow'],
  ['command: git status', 'git status .', 'ask'],
  ['command: git status', 'git statusx', 'ask'],
  ['command: git status *', 'git status src', 'allow'],
  ['command: git status *', 'git status', 'allow'],
  ['command: git status *', 'git status; rm -rf x', 'ask'],
  ['command: git status *', 'git status --porcelain', 'ask'],
  ['command: echo "a.b" | wc -l', 'echo "a.b" | wc -l', 'allow'],
  ['command: echo "a.b" | wc -l', 'echo "axb" | wc -l', 'ask'],
])('%s on `%s`: %s', async (short, command, expected) => {
  expect(await decideShort(short, terminal, { command, timeout_seconds: 30 })).toBe(expected)
})

test.each([
  ['path: notes/*.txt', 'notes/a.txt', 'allow'],
  ['path: ./notes/*.txt', 'notes/a.txt', 'allow'],
  ['path: notes/*.txt', 'notes/.txt', 'ask'],
  ['path: notes/*.txt', 'notes/deep/a.txt', 'ask'],
  ['path: notes/*.txt', 'notes/.hidden.txt', 'ask'],
  ['path: notes/*.txt', 'notes/a.txt.sh', 'ask'],
  ['path: notes/**/*.txt', 'notes/a.txt', 'allow'],
  ['path: notes/**/*.txt', 'notes/deep/er/a.txt', 'allow'],
  ['path: notes/**/*.txt', 'notes/.git/a.txt', 'ask'],
  ['path: notes/**', 'notes/deep/a', 'allow'],
  ['path: notes/**', 'other/a', 'ask'],
  ['path: notes/**', 'notes/../a', 'ask'],
  ['path: notes/a?.md', 'notes/a1.md', 'allow'],
  ['path: notes/a?.md', 'notes/a.md', 'ask'],
  ['path: .env.example', '.env.example', 'allow'],
])('%s on %s: %s', async (short, path, expected) => {
  expect(await decideShort(short, create, { path, content: 'x\ny' })).toBe(expected)
})

test.each([
  ['host: docs.python.org', 'https://docs.python.org/3/', 'allow'],
  ['host: Docs.Python.org', 'https://docs.python.org/3/', 'allow'],
  ['host: https://docs.python.org/', 'https://docs.python.org/3/', 'allow'],
  ['host: docs.python.org', 'https://docs.python.org.evil.example/', 'ask'],
  ['host: docs.python.org', 'https://docs-python.org/', 'ask'],
  ['host: docs.python.org', 'http://docs.python.org/', 'ask'],
  ['host: http://localhost:8080', 'http://localhost:8080/x', 'allow'],
  ['host: docs.python.org', 'https://docs.python.org:8443/', 'ask'],
])('%s on %s: %s', async (short, url, expected) => {
  expect(await decideShort(short, fetch, { url, timeout_seconds: 10 })).toBe(expected)
})

test.each([
  ['command: git push', terminal, { command: 'git push origin main' }, 'deny'],
  ['command: git push', terminal, { command: 'git pushes' }, 'ask'],
  ['path: secrets/**', create, { path: './notes/../secrets/key', content: '' }, 'deny'],
  ['path: secrets/**', create, { path: 'notes/key', content: 'secrets/a' }, 'ask'],
] as const)('denying %s is generous', async (short, contract, input, expected) => {
  expect(await decideShort(short, contract, input, 'deny')).toBe(expected)
})

test('denying a host covers its subdomains, ports and both schemes', async () => {
  const made = fromShort('host: evil.example', fetch, 'deny')!
  const pattern = new RegExp('pattern' in made ? made.pattern : '')
  for (const url of ['https://evil.example', 'http://a.evil.example:8/x', 'https://me@evil.example/?q'])
    expect(pattern.test(canonicalJson({ url }))).toBe(true)
  expect(pattern.test(canonicalJson({ url: 'https://notevil.example/' }))).toBe(false)
})

test.each([
  ['command: ls', create, /runs no command/],
  ['path: a', terminal, /takes no path/],
  ['host: a.b', create, /fetches nothing/],
  ['command: ', terminal, /Write something after/],
  ['path: ../x', create, /Write it from the workspace/],
  [String.raw`path: a\b`, create, /with \/ between/],
  ['host: a.b/c', fetch, /without a path/],
  ['command: python *', terminal, /Write out the whole command/],
])('%s says what is wrong', (short, contract, expected) => {
  expect(fromShort(short, contract, 'allow')).toEqual({ problem: expect.stringMatching(expected) })
})

test('other text is not a short form', () => {
  for (const text of ['*', '{"path":"a"}', '"path":"a"', 'commands: x', 'path'])
    expect(fromShort(text, create, 'allow')).toBeUndefined()
})
