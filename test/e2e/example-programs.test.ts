import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, test } from 'vitest'
import type { JsonObject } from '../../src/contract/json.ts'
import { openScriptedModel } from '../helpers/scripted-model.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const workspace = mkdtempSync(join(tmpdir(), 'toolpact-examples-'))
writeFileSync(join(workspace, 'notes.txt'), 'Buy tea.\n')
afterAll(() => rmSync(workspace, { recursive: true, force: true }))

/** Runs a program of examples/ in the workspace, against the sources as they are bundled. */
function runExample(
  name: string,
  env: NodeJS.ProcessEnv,
  cwd = workspace,
): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const hook = new URL('../setup/use-sources.ts', import.meta.url).href
  const words = cwd === workspace ? ['What is in notes.txt?'] : []
  const child = spawn(process.execPath, ['--import', hook, join(root, 'examples', name), ...words], {
    cwd,
    env: { ...process.env, TOOLPACT_STATE_DIR: join(cwd, '.state'), MODEL: 'stand-in', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: 170_000,
  })
  const output = { stdout: '', stderr: '' }
  child.stdout.setEncoding('utf8').on('data', (text) => {
    output.stdout += text
  })
  child.stderr.setEncoding('utf8').on('data', (text) => {
    output.stderr += text
  })
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code) => resolve({ code, ...output }))
  })
}

test('examples/openai.ts gives a model its tools and answers what it calls', async () => {
  await using model = await openScriptedModel([
    {
      calls: [
        { id: 'a', name: 'read_file', input: { path: 'notes.txt' } },
        { id: 'b', name: 'read_file', input: '{"path":' },
        { id: 'c', name: 'create_file', input: { path: 'other.txt', content: '' } },
      ],
    },
    'It says to buy tea.',
  ])
  const ended = await runExample('openai.ts', { OPENAI_BASE_URL: model.url, OPENAI_API_KEY: 'none' })
  expect(ended).toEqual({ code: 0, stdout: 'It says to buy tea.\n', stderr: '' })
  expect(model.received.map(({ path }) => path)).toEqual(['/v1/chat/completions', '/v1/chat/completions'])
  const [first, second] = model.received.map(({ body }) => body as { tools: JsonObject[]; messages: JsonObject[] })
  expect(first!.tools.map((tool) => (tool.function as JsonObject).name)).toContain('read_file')
  const [question, asked, ...answers] = second!.messages
  expect(question).toEqual({ role: 'user', content: 'What is in notes.txt?' })
  expect(asked).toMatchObject({ role: 'assistant', tool_calls: [{ id: 'a' }, { id: 'b' }, { id: 'c' }] })
  expect(answers.map(({ role, tool_call_id }) => [role, tool_call_id])).toEqual([
    ['tool', 'a'],
    ['tool', 'b'],
    ['tool', 'c'],
  ])
  expect(answers.map(({ content }) => JSON.parse(String(content)))).toMatchObject([
    { tool: 'read_file', success: true, output: expect.stringContaining('Buy tea.') },
    { error: { code: 'invalid_input', problems: [{ message: expect.stringContaining('Not valid JSON') }] } },
    { error: { code: 'denied', suggestion: expect.any(String) } },
  ])
})

test('examples/anthropic.ts gives a model its tools and answers what it uses', async () => {
  await using model = await openScriptedModel((_request, turn) => ({
    json: {
      id: `message-${turn}`,
      type: 'message',
      role: 'assistant',
      model: 'stand-in',
      content:
        turn === 1
          ? [
              { type: 'text', text: 'I look.' },
              { type: 'tool_use', id: 'a', name: 'read_file', input: { path: 'notes.txt' } },
              { type: 'tool_use', id: 'b', name: 'read_file', input: { path: '../secret' } },
            ]
          : [{ type: 'text', text: 'It says to buy tea.' }],
      stop_reason: turn === 1 ? 'tool_use' : 'end_turn',
      stop_sequence: null,
      usage: { input_tokens: 1, output_tokens: 1 },
    },
  }))
  const ended = await runExample('anthropic.ts', { ANTHROPIC_BASE_URL: model.origin, ANTHROPIC_API_KEY: 'none' })
  expect(ended).toEqual({ code: 0, stdout: 'I look.\nIt says to buy tea.\n', stderr: '' })
  expect(model.received.map(({ path }) => path)).toEqual(['/v1/messages', '/v1/messages'])
  const [first, second] = model.received.map(({ body }) => body as { tools: JsonObject[]; messages: JsonObject[] })
  expect(first!.tools.map(({ name }) => name)).toContain('read_file')
  const results = second!.messages.at(-1)!.content as JsonObject[]
  expect(results.map(({ type, tool_use_id, is_error }) => [type, tool_use_id, is_error])).toEqual([
    ['tool_result', 'a', undefined],
    ['tool_result', 'b', true],
  ])
  expect(results.map(({ content }) => JSON.parse(String(content)))).toMatchObject([
    { success: true, output: expect.stringContaining('Buy tea.') },
    { error: { code: 'path_outside_working_dir' } },
  ])
})

const adapted = ['ai-sdk.ts', 'langchain.ts', 'openai-agents.ts']

test.each(adapted.flatMap((name) => ['yes', 'no'].map((answer) => [name, answer] as const)))(
  'examples/%s checks what the model calls, and runs a write only if its SDK was told %s',
  async (name, answer) => {
    const path = `${name}-${answer}.txt`
    await using model = await openScriptedModel([
      {
        calls: [
          { id: 'a', name: 'read_file', input: { path: 'notes.txt' } },
          { id: 'b', name: 'read_file', input: { path: 'notes.txt', colour: 'red' } },
          { id: 'c', name: 'create_file', input: { path, content: 'Tea.' } },
          { id: 'd', name: 'read_file', input: { path: 5 } },
        ],
      },
      'Done.',
    ])
    const env = { OPENAI_BASE_URL: model.url, OPENAI_API_KEY: 'none', APPROVE: answer }
    const { code, stdout, stderr } = await runExample(name, env)
    expect(stderr).toBe('')
    expect(code).toBe(0)
    expect(stdout).toMatch(new RegExp(`^May create_file run with .*${path}.*\\? ${answer}\nDone\\.\n$`))
    expect(existsSync(join(workspace, path))).toBe(answer === 'yes')
    const [first, second] = model.received.map(({ body }) => body as { tools: JsonObject[]; messages: JsonObject[] })
    expect(first!.tools.map((tool) => (tool.function as JsonObject).name)).toContain('create_file')
    const results = second!.messages.filter(({ role }) => role === 'tool')
    const contentOf = (id: string) => String(results.find(({ tool_call_id }) => tool_call_id === id)?.content)
    expect(JSON.parse(contentOf('a'))).toMatchObject({ success: true, output: expect.stringContaining('Buy tea.') })
    expect(JSON.parse(contentOf('b'))).toMatchObject({
      error: { code: 'invalid_input', problems: [{ pointer: '/colour' }] },
    })
    expect(JSON.parse(contentOf('d'))).toMatchObject({
      error: { code: 'invalid_input', problems: [{ pointer: '/path' }] },
    })
    if (answer === 'yes') expect(JSON.parse(contentOf('c'))).toMatchObject({ tool: 'create_file', success: true })
    else expect(contentOf('c')).not.toContain('"success":true')
  },
)

test.each([
  ['yes', /^completed: \{"todos":1,"written":\["todos\.md"\]\}$/m],
  ['no', /^failed: "step_failed"$/m],
])(
  'examples/langgraph.ts interrupts its graph while a workflow waits for approval, and continues after %s',
  async (answer, ended) => {
    const own = mkdtempSync(join(workspace, 'todos-'))
    writeFileSync(join(own, 'a.txt'), 'TODO: buy tea\n')
    const { code, stdout, stderr } = await runExample('langgraph.ts', { APPROVE: answer }, own)
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toMatch(/^run_pending\nThe graph waits for an answer\.\n/)
    expect(stdout).toMatch(ended)
    expect(existsSync(join(own, 'todos.md'))).toBe(answer === 'yes')
  },
)

test('what a program needs of its own is five lines', () => {
  for (const name of ['openai.ts', 'anthropic.ts']) {
    const lines = readFileSync(join(root, 'examples', name), 'utf8').split('\n')
    const ours = lines.filter((line) => /toolpact|tools = await|Tool(?:Calls|Uses)\(/.test(line))
    expect(ours.length, ours.join('\n')).toBeLessThanOrEqual(5)
  }
})
