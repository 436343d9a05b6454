import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { openCommandFolder } from '../helpers/run-command.ts'

const { folder, run, close } = openCommandFolder()
afterAll(close)

test.concurrent('a call prints what the tool returns', async () => {
  const { code, stdout, stderr } = await run(['call', 'learning.hello', 'name=Ada'])
  expect(stdout).toMatch(/^✓ learning\.hello\n {2}greeting: Hello, Ada!\n {2}Time: \S+ms\n$/)
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
})

test.concurrent('--json prints one line of JSON on stdout and nothing else', async () => {
  const { code, stdout, stderr } = await run(['call', 'learning.hello', 'name=Ada', '--json'])
  expect(stdout).toMatch(/^\{.*\}\n$/)
  expect(JSON.parse(stdout)).toEqual({
    tool: 'hello',
    success: true,
    greeting: 'Hello, Ada!',
    execution_time_ms: expect.any(Number),
  })
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
})

test.concurrent('an input that the contract does not allow is reported on stderr, with the place and what to do', async () => {
  const { code, stdout, stderr } = await run(['call', 'learning.hello'])
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  expect(stderr).toContain("Error: The input does not match the contract of 'learning.hello'.")
  expect(stderr).toContain('name')
  expect(stderr).toContain('Correct the input as described in the problems and call again.')
  expect(stderr).toContain('toolpact show learning.hello')
  expect(stderr).toContain('invalid_input')
})

test.concurrent('a failure is JSON on stdout with --json', async () => {
  const { code, stdout, stderr } = await run(['call', 'learning.hello', '--json'])
  expect(JSON.parse(stdout)).toEqual({
    tool: 'hello',
    success: false,
    error: {
      code: 'invalid_input',
      message: expect.any(String),
      suggestion: expect.any(String),
      status: 400,
      fixable: true,
      problems: [expect.objectContaining({ keyword: 'required', message: expect.stringContaining('name') })],
    },
    execution_time_ms: expect.any(Number),
  })
  expect({ code, stderr }).toEqual({ code: 2, stderr: '' })
})

test.concurrent('a mistyped key suggests the nearest', async () => {
  const { code, stderr } = await run(['call', 'learning.hello', 'nam=Ada'])
  expect(code).toBe(2)
  expect(stderr).toMatch(/nam.*name/s)
})

test.concurrent.each([
  [['call', 'learning.helo'], 'Did you mean learning.hello?', 'tool_not_found'],
  [['call', 'hello'], 'Use one of learning.hello, practitioner.hello.', 'tool_ambiguous'],
  [['call', 'learning.hello', 'Ada'], 'Did you mean name=Ada?', 'invalid_input'],
  [['call', 'learning.hello', 'name=a', 'name=b'], "The key 'name' is given twice.", 'invalid_input'],
  [['call', 'learning.hello', '--input', '{"name":"a","name":"b"}'], '/name', 'invalid_input'],
  [['call', 'learning.hello', '--input', '{name}'], 'line 1', 'invalid_input'],
  [['call', 'learning.hello', '--input', ''], 'JSON', 'invalid_input'],
  [['call', 'learning.hello', '--input', '@missing.json'], 'missing.json (ENOENT)', 'invalid_input'],
  [['call', 'learning.hello', '--input', '@.'], 'cannot be read from .', 'invalid_input'],
  [['call', 'learning.hello', '--input', '[]'], 'object', 'invalid_input'],
])('%j is refused with exit code 2', async (args, words, errorCode) => {
  const { code, stdout, stderr } = await run(args)
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  expect(stderr).toContain(words)
  expect(stderr).toContain(`Code: ${errorCode}`)
})

test.concurrent('a bare name works where one toolset has it', async () => {
  const { stdout } = await run(['--toolset', 'learning', 'call', 'hello', 'name=Ada', '--json'])
  expect(JSON.parse(stdout).greeting).toBe('Hello, Ada!')
})

test.concurrent('the input may come from stdin', async () => {
  const { stdout } = await run(['call', 'learning.hello', '--input', '-', '--json'], { input: '{"name":"Zoë"}' })
  expect(JSON.parse(stdout).greeting).toBe('Hello, Zoë!')
})

test.concurrent('the input may come from a file', async () => {
  writeFileSync(join(folder, 'ada.json'), '{ "name": "Ada" }\n')
  const { stdout } = await run(['call', 'learning.hello', '--input', '@ada.json', '--json'])
  expect(JSON.parse(stdout).greeting).toBe('Hello, Ada!')
})

test.concurrent('more input than the contract allows is not read to the end', async () => {
  const { code, stdout } = await run(['call', 'odd.echo', '--input', '-', '--json'], {
    entry: 'odd',
    input: `{"text":"${'a'.repeat(3_000_000)}"}`,
  })
  expect(code).toBe(2)
  expect(JSON.parse(stdout).error.code).toBe('input_too_large')
})

test.concurrent('values are read by their type in the contract', async () => {
  const { stdout } = await run(['call', 'odd.echo', 'text=5', 'count=5', 'tags=["a"]', '--json'], { entry: 'odd' })
  expect(JSON.parse(JSON.parse(stdout).json)).toEqual({ text: '5', count: 5, tags: ['a'] })
})

test.concurrent('a value that does not fit its type is the problem of the pipeline, with its place', async () => {
  const { code, stdout } = await run(['call', 'odd.echo', 'count=five', '--json'], { entry: 'odd' })
  expect(code).toBe(2)
  expect(JSON.parse(stdout).error.problems).toEqual([expect.objectContaining({ pointer: '/count' })])
})

test.concurrent('a call that asks is refused at once with --no-wait, and --yes is suggested', async () => {
  const { code, stderr } = await run(['call', 'odd.write', 'path=a.txt', '--no-wait'], { entry: 'odd' })
  expect(code).toBe(3)
  expect(stderr).toContain('was not approved')
  expect(stderr).toContain('add --yes')
  expect(stderr).toContain('Code: approval_denied')
})

test.concurrent('--yes approves; an output in words is printed in those words, with location and time', async () => {
  const { code, stdout } = await run(['call', 'odd.write', 'path=a.txt', '--yes', '--workspace', '.'], { entry: 'odd' })
  expect(code).toBe(0)
  expect(stdout).toBe(
    `✓ Created file: a.txt (5 bytes)\n  second line\n  Location: ${join(folder, 'a.txt')}\n  Time: 5ms\n`,
  )
})

test.concurrent('an output that says itself that it failed ends with exit code 1', async () => {
  const { code, stdout } = await run(['call', 'odd.write', 'path=a.txt', 'fail=true', '--yes'], { entry: 'odd' })
  expect(stdout).toContain('✗ Cannot write a.txt')
  expect(code).toBe(1)
})

test.concurrent('a policy that denies ends with exit code 3', async () => {
  writeFileSync(join(folder, 'read-only.json'), '{ "policy": { "readOnly": true } }')
  const args = ['call', 'odd.write', 'path=a', '--yes', '--config', 'read-only.json', '--json']
  const { code, stdout } = await run(args, { entry: 'odd' })
  expect(code).toBe(3)
  expect(JSON.parse(stdout).error.code).toBe('denied')
})

test.concurrent('too many calls end with exit code 4 and say when to come back', async () => {
  const own = openCommandFolder()
  const { openSqliteStorage } = await import('../../src/runtime/storage/sqlite/sqlite.ts')
  const storage = openSqliteStorage({ directory: join(own.folder, 'state') })
  const limit = { count: 100, windowMs: 60_000 }
  for (let count = 0; count < 100; count++) await storage.counters.take('practitioner.hello cli', limit, Date.now())
  await storage.close()
  const { code, stdout } = await own.run(['call', 'practitioner.hello', '--json'])
  expect(code).toBe(4)
  expect(JSON.parse(stdout).error).toMatchObject({
    code: 'rate_limited',
    status: 429,
    retry_after_ms: expect.any(Number),
  })
  own.close()
})

test.concurrent.each([
  ['odd.lie', 'invalid_output', 'invalid_output'],
  ['odd.crash', 'internal', 'threw'],
])('%s breaks its contract: the caller gets %s, and --debug tells a person more', async (tool, code, kind) => {
  const plain = await run(['call', tool], { entry: 'odd' })
  expect(plain.code).toBe(1)
  expect(plain.stderr).toContain(`Code: ${code}`)
  expect(plain.stderr).not.toMatch(/red|odd-tools/)
  const debug = await run(['call', tool, '--debug'], { entry: 'odd' })
  expect(debug.stderr).toContain(`Contract violation: ${kind}`)
  expect(debug.stderr).toContain('red')
  expect(debug.stderr).not.toMatch(/[\x1b\x9b\u202e\u200b]/)
  if (kind === 'threw') expect(debug.stderr).toContain('odd-tools')
})

test.concurrent.each(['paint', 'refuse'])('what the tool odd.%s says cannot paint the terminal', async (tool) => {
  for (const flags of [[], ['--json']]) {
    const { stdout, stderr } = await run(['call', `odd.${tool}`, ...flags], { entry: 'odd' })
    expect(stdout + stderr).toContain('red')
    expect(stdout + stderr).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f-\x9f\u200b\u202e]/)
    expect(stdout + stderr).not.toMatch(/^Approve/m)
  }
})

test.concurrent('--set gives a toolset a setting, and so does the option that it replaces', async () => {
  const clean = ['call', 'transcript.clean', 'text=um we we paid 300', '--json']
  for (const words of [['--set', 'transcript-clean.rulesOnly=true'], ['--rules-only']]) {
    const { code, stdout } = await run([...clean, ...words])
    expect({ code, output: JSON.parse(stdout).clean_text }).toEqual({ code: 0, output: 'we paid 300' })
  }
})

test.concurrent.each<[setting: string, words: string]>([
  ['transcript-clean.rulesOnly=maybe', "The settings of toolset 'transcript-clean' are not valid:"],
  ['transcript-clean.ruleOnly=true', 'Did you mean "rulesOnly"?'],
  ['transcript.rulesOnly=true', 'Did you mean transcript-clean?'],
  ['learning.name=Ada', "The toolset 'learning' has no settings."],
  ['rulesOnly=true', 'TOOLSET.KEY=VALUE'],
])('--set %s is refused, with what is meant', async (setting, words) => {
  const { code, stdout, stderr } = await run(['list', '--set', setting])
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  expect(stderr).toContain(words)
})

test.concurrent('--set overrides the config, which may have the former name of the key', async () => {
  const config = join(folder, 'former.json')
  writeFileSync(config, JSON.stringify({ transcript: { rulesOnly: false } }))
  const args = ['call', 'transcript.clean', 'text=um we we paid 300', '--json', '--config', config]
  const { code, stderr } = await run([...args, '--set', 'transcript-clean.rulesOnly=true'])
  expect(code).toBe(0)
  expect(stderr).toContain('"transcript" is now called "transcript-clean"')
})
