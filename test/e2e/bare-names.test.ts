import { afterAll, expect, test } from 'vitest'
import { openToolpact } from '../../src/app/app.ts'
import { handleToolCalls } from '../../src/surfaces/function-calling/openai.ts'
import { toolsets } from '../../src/toolsets/index.ts'
import { initialize, openMcpStdio } from '../helpers/open-mcp.ts'
import { openRest } from '../helpers/open-rest.ts'
import { openCommandFolder } from '../helpers/run-command.ts'

const { run, close } = openCommandFolder()
afterAll(close)

const all = await Promise.all(Object.values(toolsets).map((load) => load()))
const ids = all.flatMap(({ name, tools }) =>
  tools.filter(({ offer }) => !offer).map(({ contract }) => ({ id: `${name}.${contract.name}`, contract })),
)
const byBareName = Map.groupBy(ids, ({ contract }) => contract.name)
const active = [...byBareName].filter(([, group]) => group.every(({ contract }) => contract.status === 'active'))
const unique = active.filter(([, group]) => group.length === 1).map(([name, group]) => [name, group[0]!.id] as const)
const shared = active
  .filter(([, group]) => group.length > 1)
  .map(([name, group]) => [name, group.map(({ id }) => id)] as const)

/** No contract allows it, so that a call which is resolved ends with this and does nothing. */
const input = { 'not a parameter': 1 }

test('every built-in tool with a unique bare name is called by it on every surface', async () => {
  expect(unique.map(([name]) => name)).toEqual(expect.arrayContaining(['create_file', 'search.web', 'mlx.load']))
  const { toolpact, post } = await openRest()
  const { send, next } = await openMcpStdio({ toolpact })
  send(initialize())
  await next()
  for (const [name, id] of unique) {
    expect(await toolpact.call(name, input)).toMatchObject({ tool: id, error: { code: 'invalid_input' } })
    expect((await post(name, input)).body.code, name).toBe('invalid_input')
    expect((await post('/v1/call', { tool: name, parameters: input })).body.code, name).toBe('invalid_input')
    send({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: input } })
    expect((await next()).result._meta['toolpact/error'].code, name).toBe('invalid_input')
    const called = { id: '1', function: { name: name.replaceAll('.', '_'), arguments: JSON.stringify(input) } }
    const [answer] = await handleToolCalls(toolpact, { tool_calls: [called] })
    expect(JSON.parse(answer!.content), name).toMatchObject({ tool: name, error: { code: 'invalid_input' } })
  }
})

test('a bare name of several tools is answered with the candidates', async () => {
  expect(shared.map(([name]) => name)).toContain('hello')
  const { toolpact, post } = await openRest()
  for (const [name, candidates] of shared) {
    const { body } = await post(name, {})
    expect(body, name).toMatchObject({ code: 'tool_ambiguous' })
    for (const id of candidates) expect(body.suggestion).toContain(id.replace('.', '_'))
    expect(await toolpact.call(name, {})).toMatchObject({ error: { code: 'tool_ambiguous' } })
  }
})

test('the command calls by a bare name, and functions of one toolset have bare names', async () => {
  const called = await run(['call', 'create_file', '--input', JSON.stringify(input), '--json'])
  expect(JSON.parse(called.stdout)).toMatchObject({ tool: 'create_file', error: { code: 'invalid_input' } })
  for (const format of ['openai', 'anthropic', 'gemini']) {
    const { stdout } = await run(['export', format, '--toolset', 'workspace'])
    expect(stdout, format).toContain('"name": "create_file"')
    expect(stdout, format).not.toContain('workspace_')
  }
})

test('names that were unique once are ambiguous once another toolset has them', async () => {
  const extra = { name: 'extra', description: 'One more.', tools: [(await toolsets.workspace!()).tools[0]!] }
  const { contract } = extra.tools[0]!
  const toolpact = await openToolpact({ storage: 'memory', toolsets: ['workspace', extra as never] })
  const result = await toolpact.call(contract.name, {})
  expect(result).toMatchObject({
    error: { code: 'tool_ambiguous', suggestion: expect.stringContaining(`extra_${contract.name}`) },
  })
  await toolpact.close()
})
