import { expect, test } from 'vitest'
import { toCall, toRule } from '../../../test/helpers/rule-calls.ts'
import type { Contract, Effects } from '../../contract/contract.ts'
import type { JsonObject, JsonSchema } from '../../contract/json.ts'
import { decide } from '../decide.ts'
import type { PolicyCall } from '../policy-call.ts'
import { compileRules } from './compile-rules.ts'
import { offerRules } from './offer-rules.ts'
import { toRulePattern } from './to-rule-pattern.ts'

const text = { type: 'string' } as const

function callOf(input: JsonObject, effects: Effects, properties: { readonly [name: string]: JsonSchema }): PolicyCall {
  const call = toCall(input, effects)
  const contract: Contract = { ...call.contract, input: { type: 'object', additionalProperties: false, properties } }
  return { ...call, contract }
}

const create = (path: string, content = 'x') =>
  callOf({ content, path }, { writes: ['path'] }, { path: text, content: text })
const run = (command: string, timeout = 30) =>
  callOf({ command, timeout }, { runs: ['command'] }, { command: text, timeout: { type: 'integer' } })
const fetchUrl = (url: string) => callOf({ url }, { fetches: ['url'] }, { url: text })

const anyText = String.raw`"(?:[^"\\]|\\.)*"`
const seconds = String.raw`-?[0-9]+(?:\.[0-9]+)?`

test.each<[PolicyCall, Parameters<typeof toRulePattern>[2], string | undefined]>([
  [create('src/a.ts', 'a{2}"\n'), 'exact', String.raw`{"content":"a\{2\}\\"\\n","path":"src/a\.ts"}`],
  [create('src/a.ts'), 'file', String.raw`{"content":${anyText},"path":"src/a\.ts"}`],
  [create('src/a.ts'), 'folder', String.raw`{"content":${anyText},"path":"src/[^"/\\.][^"/\\]*"}`],
  [create('a.ts'), 'folder', String.raw`{"content":${anyText},"path":"[^"/\\.][^"/\\]*"}`],
  [create('a.ts', 'x'.repeat(16_385)), 'exact', undefined],
  [create('a.ts', 'x'.repeat(16_385)), 'file', String.raw`{"content":${anyText},"path":"a\.ts"}`],
  [run(`echo -n ${'x'.repeat(16_385)} -y z`), 'command-word', undefined],
  [create('src/.env'), 'folder', undefined],
  [create('src\\a'), 'folder', undefined],
  [create('src/'), 'folder', undefined],
  [create('a'), 'command-word', undefined],
  [run('npm test'), 'file', undefined],
  [run('find . -name x'), 'command-word', undefined],
  [run('python3.11 x'), 'command-word', undefined],
  [run('FOO=1 x'), 'command-word', undefined],
  [run('npm  test'), 'command-word', undefined],
  [run('ls'), 'subcommand', undefined],
  [run('ls -a'), 'subcommand', undefined],
  [fetchUrl('https://a.example/b'), 'site', String.raw`{"url":"https://a\.example/[^"\\]*"}`],
  [fetchUrl('https://a.example'), 'site', String.raw`{"url":"https://a\.example/[^"\\]*"}`],
  [fetchUrl('https://a.example?q=1'), 'site', String.raw`{"url":"https://a\.example/[^"\\]*"}`],
  [fetchUrl('https://ada:key@a.example'), 'site', undefined],
  [fetchUrl('file:///etc/passwd'), 'site', undefined],
])('from $0.canonicalInput, $1', ({ contract, input }, width, pattern) => {
  expect(toRulePattern(contract, input, width)).toBe(pattern)
})

test('a command keeps its first words, and all up to its last option', () => {
  const { contract, input } = run('git log --oneline src/a.ts')
  expect(toRulePattern(contract, input, 'command-word')).toBeUndefined()
  expect(toRulePattern(contract, input, 'subcommand')).toMatch(/^\{"command":"git log --oneline\(\?:/)
  expect(toRulePattern(contract, input, 'subcommand')).toContain(`,"timeout":${seconds}}`)
  expect(toRulePattern(run('git log a').contract, run('git log a').input, 'subcommand')).toMatch(
    /^\{"command":"git log\(\?:/,
  )
})

test('a choice between meanings stays as it was', () => {
  const properties = { path: text, mode: { enum: ['append', 'replace'] }, force: { type: 'boolean' } } as const
  const { contract, input } = callOf({ force: false, mode: 'append', path: 'a' }, { writes: ['path'] }, properties)
  expect(toRulePattern(contract, input, 'file')).toBe('{"force":false,"mode":"append","path":"a"}')
  const choices = { path: text, kind: { ...text, const: 'note' }, mode: { ...text, enum: ['append', 'replace'] } }
  const typed = callOf({ kind: 'note', mode: 'append', path: 'a' }, { writes: ['path'] }, choices)
  expect(toRulePattern(typed.contract, typed.input, 'file')).toBe('{"kind":"note","mode":"append","path":"a"}')
})

test.each<[PolicyCall, string[]]>([
  [create('src/a.ts'), ['exact', 'file', 'folder', 'tool']],
  [create('a.ts', 'two\nlines'), ['exact', 'file', 'folder', 'tool']],
  [create('.env'), ['exact', 'file']],
  [create('src/../a'), []],
  [create('src/a\u202e'), []],
  [create('a', '\x1b'), []],
  [create('a', 'x'.repeat(20_000)), ['file', 'folder', 'tool']],
  [run('npm test'), ['exact', 'subcommand']],
  [run('ls'), ['exact']],
  [run('git log src/a.ts'), ['exact', 'subcommand']],
  [run('git status'), ['exact', 'subcommand']],
  [run('git config core.fsmonitor x'), ['exact']],
  [run('git -C sub status'), ['exact']],
  [run('npm install x'), ['exact']],
  [run('find src'), ['exact']],
  [run('tar xf a.tar'), ['exact']],
  [run('make all'), ['exact']],
  [run('python3.12 a.py'), ['exact']],
  [run('/usr/bin/env ls'), ['exact']],
  [run('ls -la src'), ['exact', 'command-word']],
  [run('cat /etc/passwd'), ['exact']],
  [run('cat ../x'), ['exact']],
  [run('npm test && ls'), ['exact']],
  [run('bash x.sh'), ['exact']],
  [run('toolpact rules list'), []],
  [run('a\nb'), []],
  [fetchUrl('https://a.example/b?c=d'), ['exact', 'site']],
  [fetchUrl('https://a.example/b\\c'), ['exact']],
  [callOf({ city: 'Rome' }, {}, { city: text }), ['exact', 'tool']],
  [callOf({ note: 'two\nlines' }, {}, { note: text }), ['tool']],
  [callOf({}, {}, {}), ['exact', 'tool']],
])('for $0.canonicalInput a person may choose from $1', async (call, widths) => {
  expect((await offerRules(call)).map(({ width }) => width)).toEqual(widths)
})

const escapes = {
  create: ['src/../.env', '../a.ts', '/etc/passwd', 'src/.env', '.env', 'src/b/c.ts', 'lib/a.ts', 'src\\a', 'src/a\u200b.ts', '~/a', 'C:a', 'src/a.ts\0', 'src//a.ts'], // biome-ignore format: one line
  run: ['git log; x', 'git log & x', 'git log\nx', 'git log | x', 'git log $(x)', 'git log > x', 'git log --output=x', 'git -c core.pager=x log', 'git log ../x', 'git log /etc/x', 'gitx log', 'git', 'git log https://a.example', 'X=1 git log', ' git log', 'git log "x', "git log 'x", 'git log \\x', 'git log src/a.ts -x'], // biome-ignore format: one line
  fetch: ['https://a.example.evil.example/', 'https://a.example@evil.example/', 'http://a.example/b', 'https://b.example/', 'https://a.example:8443/', 'https://a.example/\\@evil.example', 'https://a.example/\n'], // biome-ignore format: one line
}

test.each([
  ['src/a.ts', create, escapes.create],
  ['git log src/a.ts', run, escapes.run],
  ['https://a.example/b', fetchUrl, escapes.fetch],
])('what is offered for %s allows it, and nothing of what tries to escape', async (value, make, tried) => {
  const offers = await offerRules(make(value))
  expect(offers.length).toBeGreaterThan(1)
  for (const { pattern, width } of offers) {
    const rules = await compileRules([toRule(pattern)])
    expect(decide(make(value), { rules }).action).toBe('allow')
    expect(
      tried.filter((other) => decide(make(other), { rules }).action !== 'ask'),
      width,
    ).toEqual(width === 'tool' ? ['src/b/c.ts', 'lib/a.ts', 'src\\a', 'src//a.ts'] : [])
  }
})
