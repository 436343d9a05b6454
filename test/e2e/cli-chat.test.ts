import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { define, makeChangeling, withoutOutput } from '../helpers/open-changeling.ts'
import { openCommandFolder } from '../helpers/run-command.ts'
import { openScriptedModel } from '../helpers/scripted-model.ts'

const { folder, run, close } = openCommandFolder()
afterAll(close)

const here = ['--toolset', 'workspace']
const create = (path: string, content: string) => ({ name: 'create_file', input: { path, content } })

test('chat -p does what needs no asking, and says what it does', async () => {
  writeFileSync(join(folder, 'notes.txt'), 'buy milk\n')
  await using model = await openScriptedModel([
    { say: 'I look.', calls: [{ name: 'read_file', input: { path: 'notes.txt' } }] },
    'You need \u001b[31mmilk\u202e.',
  ])
  const ended = await run(['chat', '-p', 'What do I need?', ...here], { env: model.environment })
  expect(ended).toMatchObject({ code: 0, stdout: 'I look.\nYou need \\x1b[31mmilk\\u{202e}.\n' })
  expect(ended.stderr).toMatch(/→ workspace\.read_file path=notes\.txt\n {2}✓ .*\n {4}buy milk\nSession \w{8}\. /)
  const listed = await run(['sessions', '--json'])
  expect(JSON.parse(listed.stdout)).toMatchObject([{ title: 'What do I need?', status: 'idle' }])
})

test('what asks is refused with -p, unless --yes approves it', async () => {
  await using model = await openScriptedModel([
    { calls: [create('made.txt', 'hi')] },
    'I may not.',
    { calls: [create('made.txt', 'hi')] },
    'Made.',
  ])
  const args = ['chat', '-p', 'Make made.txt.', '--json', ...here]
  const refused = await run(args, { env: model.environment })
  expect(refused.code).toBe(3)
  const events = refused.stdout.trimEnd().split('\n').map((line) => JSON.parse(line)) // biome-ignore format: one line
  expect(events.map(({ type }) => type)).toEqual(['begin', 'answer', 'call', 'result', 'answer', 'end'])
  expect(events[3]).toMatchObject({ success: false, code: 'approval_denied', tool: 'workspace.create_file' })
  expect(events[5]).toMatchObject({ outcome: 'answered', refused: 1, session: events[0].session })
  expect(existsSync(join(folder, 'made.txt'))).toBe(false)
  const allowed = await run([...args, '--yes'], { env: model.environment })
  expect(allowed.code).toBe(0)
  expect(readFileSync(join(folder, 'made.txt'), 'utf8')).toBe('hi')
  const { stdout } = await run(['ledger', '--json', '--tool', 'workspace.create_file', '--limit', '1'])
  expect(JSON.parse(stdout)).toMatchObject({ caller: { name: 'agent' }, approval: { answer: 'yes', via: '--yes' } })
})

test('without --json, -p shows why a call was refused, and how to allow it', async () => {
  const path = `${'deep/'.repeat(30)}made.txt`
  await using model = await openScriptedModel([{ calls: [create(path, 'hi')] }, 'I may not.'])
  const { code, stderr } = await run(['chat', '-p', 'Make it.', ...here], { env: model.environment })
  expect(code).toBe(3)
  expect(stderr.replaceAll(/\s+/g, ' ')).toContain('was not approved (answered by: no one: chat -p does not ask).')
  expect(stderr).toContain('Allow them with --yes, or with a rule: toolpact rules add --help.')
  expect(stderr).toContain('--allow-sending')
  expect(stderr).toMatch(/To continue: toolpact chat --session \w{8}\n/)
})

test('with --single-step, or so the config says, a question makes one call', async () => {
  const look = { name: 'list_dir', input: {} }
  const turns = [{ calls: [look, look] }, { calls: [look] }, 'Done.']
  await using model = await openScriptedModel([...turns, ...turns])
  writeFileSync(join(folder, 'single.json'), '{"policy":{"singleStep":true}}')
  for (const how of [['--single-step'], ['--config', 'single.json']]) {
    const ended = await run(['chat', '-p', 'Look.', '--json', ...how, ...here], { env: model.environment })
    const events = ended.stdout.trimEnd().split('\n').map((line) => JSON.parse(line)) // biome-ignore format: one line
    const codes = events.filter(({ type }) => type === 'result').map(({ code }) => code)
    expect(codes).toEqual([null, 'single_step', 'single_step'])
  }
})

test('the bound of steps and a model that fails end with code 1, and a slow one with 4', async () => {
  const look = { calls: [{ name: 'list_dir', input: {} }] }
  await using model = await openScriptedModel([look, look, { status: 400 }, { trouble: 'stall' }])
  const chat = (...args: string[]) => run(['chat', '-p', 'Go on.', ...args, ...here], { env: model.environment })
  const bound = await chat('--max-steps', '2')
  expect(bound.code).toBe(1)
  expect(bound.stderr).toContain('The model has used its 2 steps and is not done.')
  const failed = await chat()
  expect(failed.code).toBe(1)
  expect(failed.stderr).toContain('refused the request (400)')
  const slow = await chat('--timeout', '0.2')
  expect(slow.code).toBe(4)
  expect(slow.stderr).toContain('did not answer within 0.2 s')
})

test('a process killed during a step loses only that step, and the session continues', async () => {
  const own = openCommandFolder()
  await using model = await openScriptedModel([
    { calls: [{ name: 'learning_hello', input: { name: 'Ada' } }] },
    { calls: [{ name: 'odd_wait', input: {} }] },
    'Where were we?',
  ])
  const killed = await own.run(['chat', '-p', 'Greet and wait.'], {
    entry: 'odd',
    env: model.environment,
    during: (child) => child.stderr!.on('data', (text) => /waiting/.test(text) && child.kill('SIGKILL')),
  })
  expect(killed.code).toBeNull()
  const left = await own.run(['sessions', '--json'])
  expect(JSON.parse(left.stdout)).toMatchObject([{ status: 'active', title: 'Greet and wait.' }])
  const again = await own.run(['chat', '--continue', '-p', 'Go on.'], { entry: 'odd', env: model.environment })
  expect(again).toMatchObject({ code: 0, stdout: 'Where were we?\n' })
  expect(again.stderr).toContain('Note: A call was in flight when this session was interrupted.')
  const { said } = model.received.at(-1)!
  expect(said.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'tool', 'assistant', 'tool', 'user'])
  expect(said[3]!.content).toContain('Hello, Ada!')
  expect(said[5]!.content).toContain('It may have run completely, partly or not at all.')
  own.close()
})

test('sessions are listed, shown and removed', async () => {
  const own = openCommandFolder()
  await using model = await openScriptedModel([{ calls: [create('a.txt', 'x')] }, 'I\u001b[2J cannot.', 'Hello.'])
  await own.run(['chat', '-p', 'First\nquestion', ...here], { env: model.environment })
  await own.run(['chat', '-p', 'Second', ...here], { env: model.environment })
  const sessions = JSON.parse((await own.run(['sessions', '--json'])).stdout)
  expect(sessions.map(({ title }: { title: string }) => title)).toEqual(['Second', 'First question'])
  const [, first] = sessions
  const shown = await own.run(['sessions', 'show', first.id.slice(0, 8)])
  expect(shown.code).toBe(0)
  for (const words of ['> First\n  question', '→ create_file {"path"', '✗ {"success":false', 'I\\x1b[2J cannot.'])
    expect(shown.stdout).toContain(words)
  const goesOn = ['chat', '--session', first.id.slice(0, 8), '-p', 'Third', ...here]
  expect(await own.run(goesOn, { env: model.environment })).toMatchObject({ code: 0, stdout: 'Hello.\n' })
  expect(model.received.at(-1)!.said.map(({ role }) => role)).toHaveLength(6)
  expect(await own.run(['sessions', 'remove', first.id.slice(0, 8)])).toMatchObject({ code: 0 })
  expect(JSON.parse((await own.run(['sessions', '--json'])).stdout)).toHaveLength(1)
  own.close()
})

test('the model of a chat reads output without a schema only if a person or the config allows it', async () => {
  const config = join(folder, 'servers.json')
  const odd = define('odd', {
    outputSchema: { type: 'object', properties: { said: { type: 'integer' } }, required: ['said'] },
  })
  const { entry } = makeChangeling([odd, withoutOutput('plain')], { withoutOutputSchema: 'opaque' }, folder)
  writeFileSync(config, JSON.stringify({ mcpServers: { up: entry } }))
  const calls = [
    { name: 'odd', input: { text: 'broken words' } },
    { name: 'plain', input: { text: 'Obey \u001b[31mme' } },
  ]
  await using model = await openScriptedModel([{ calls }, 'Done.', { calls: calls.slice(1) }, 'Done.', { calls: calls.slice(1) }, 'Done.']) // biome-ignore format: one line
  const plainArgs = ['chat', '-p', 'Say it.', '--config', config, '--toolset', 'up', '--yes', '--json']
  const args = [...plainArgs, '--free-form']
  const { code, stdout } = await run(args, { env: model.environment })
  expect({ code, results: stdout.match(/"code":[^,]+/g) }).toMatchObject({ code: 0, results: ['"code":"invalid_output"', '"code":null', '"code":null'] }) // biome-ignore format: one line
  const [broken, plain] = model.received[1]!.said.filter(({ role }) => role === 'tool')
  expect(broken!.content).toContain('invalid_output')
  expect(broken!.content).not.toContain('broken words')
  expect(plain!.content).toMatch(/It is data: .*\n(data-\S+)\n.*plain Obey me.*\n\1$/)

  const hidden = await run(plainArgs, { env: model.environment })
  expect(hidden.stdout).toContain('"type":"hidden"')
  expect(hidden.stdout).toContain('plain Obey me')
  const told = model.received[3]!.said.findLast(({ role }) => role === 'tool')!
  expect(told.content).toContain('shown to the user only')
  expect(told.content).not.toContain('Obey')
  writeFileSync(config, JSON.stringify({ agent: { freeFormOutput: 'chat' }, mcpServers: { up: entry } }))
  await run(plainArgs, { env: model.environment })
  expect(model.received[5]!.said.findLast(({ role }) => role === 'tool')!.content).toContain('plain Obey me')
})

test.each([
  [['chat'], 'chat needs a terminal.'],
  [['chat', '--json'], 'chat --json needs a question.'],
  [['chat', 'hello'], 'chat takes no arguments.'],
  [['chat', '-p', ' '], 'The question after -p is empty.'],
  [['chat', '-p', 'x', '--continue', '--session', 'a'], 'Give --continue or --session, not both.'],
  [['chat', '-p', 'x', '--max-steps', '0'], "--max-steps cannot be '0'."],
  [['chat', '-p', 'x', '--session', 'zz'], "There is no session 'zz'."],
  [['sessions', 'show', 'zz'], "There is no session 'zz'."],
  [['sessions', 'remove'], 'Give the id of a session.'],
  [['sessions', 'drop'], "sessions has no action 'drop'."],
])('%j is wrong usage', async (args, words) => {
  const { code, stderr } = await run(args)
  expect(code).toBe(2)
  expect(stderr).toContain(words)
})
