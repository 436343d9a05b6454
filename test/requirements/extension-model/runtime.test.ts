import { expect, onTestFinished } from 'vitest'
import { ask } from '../../../src/agent/ask/ask.ts'
import { createInputGate } from '../../../src/agent/ask/check-question.ts'
import { createModelPlanner } from '../../../src/agent/ask/planner.ts'
import { summarize } from '../../../src/agent/ask/summarize.ts'
import { toSourceText } from '../../../src/agent/grounding/source-text.ts'
import { openToolpact } from '../../../src/app/app.ts'
import { openModel } from '../../../src/capabilities/model.ts'
import { define, makeChangeling, openHost } from '../../helpers/open-changeling.ts'
import { initialize, openMcpStdio } from '../../helpers/open-mcp.ts'
import { openScriptedModel, type Script } from '../../helpers/scripted-model.ts'
import { extensionModel } from '../extension-model.ts'
import { callOverMcp, openStatements } from '../statements.ts'

const { statement } = openStatements(extensionModel)

statement('D25', async () => {
  const { send, next } = await openMcpStdio()
  send(initialize(), { jsonrpc: '2.0', id: 123, method: 'tools/list' })
  await next()
  expect(await next()).toMatchObject({ jsonrpc: '2.0', id: 123, result: expect.any(Object) })
})
statement('D26', async () => {
  expect(await hello()).toMatchObject({ structuredContent: { greeting: 'Hello, Ada!' } })
})
statement('D27', async () => {
  const { content } = await hello()
  expect(content).toMatchObject([{ type: 'text', text: expect.stringContaining('Hello, Ada!') }])
})
statement('D28', async () => expect(await hello()).toHaveProperty('isError', false))
statement('D29', async () => {
  expect(await callOverMcp('learning', 'hello', { name: 5 })).toMatchObject({ isError: true })
})
statement('D30', async () => {
  const { call } = openHost({ one: makeChangeling([define('missing')]).entry })
  expect(await call('one.missing')).toMatchObject({ success: false, error: { code: 'invalid_output' } })
})
statement('D31', async () => {
  const { call } = openHost({ one: makeChangeling([define('failing')]).entry })
  expect(await call('one.failing')).toMatchObject({ success: false, error: { code: 'upstream_error' } })
})
statement('D32', async () => {
  const { entry } = makeChangeling([define('echo')])
  const { call } = openHost({ loose: entry, strict: { ...entry, responses: 'strict' } })
  expect(await call('strict.echo')).toMatchObject({ success: false, error: { code: 'invalid_output' } })
  expect(await call('loose.echo')).toMatchObject({ success: true, notes: { isError: 'missing' } })
})
statement('D34', async () => {
  const { call } = openHost({ one: makeChangeling([define('echo')]).entry })
  expect(await call('one.echo')).toMatchObject({ success: true, output: { said: 'hi' } })
})
statement('D35', async () => {
  const { call } = openHost({ one: makeChangeling([define('violating')]).entry })
  const result = await call('one.violating')
  expect(result).toMatchObject({ success: false, error: { code: 'invalid_output' } })
  expect(result).not.toHaveProperty('output')
})
statement('D39', async () => {
  const changeling = makeChangeling([define('echo'), define('announce')])
  const host = openHost({ one: changeling.entry })
  expect(await host.call('one.plain')).toMatchObject({ error: { code: 'tool_not_found' } })
  expect(await host.call('one.echo')).toMatchObject({ success: true })
})
statement('D41', async () => {
  const { result, calls } = await plan([{ calls: [{ name: 'made_up_tool', input: {} }] }])
  expect(result).toMatchObject({ outcome: 'refused', by: { code: 'plan_unknown_tool' } })
  expect(calls).toBe(0)
})
statement('D42', async () => {
  const { result, offered } = await plan([{ calls: [{ name: 'read_repo_file', input: { path: 'README.md' } }] }])
  expect(offered).not.toContain('read_repo_file')
  expect(result).toMatchObject({ outcome: 'refused', by: { code: 'plan_unknown_tool' } })
})
statement('D43', async () => {
  const greet = { name: 'hello', input: { name: 'Ada' } }
  const { result, calls } = await plan([{ calls: [greet, greet] }])
  expect(result).toMatchObject({ outcome: 'refused', by: { code: 'plan_two_calls' } })
  expect(calls).toBe(0)
})
statement('D46', async () => {
  const { result, received } = await plan([{ calls: [{ name: 'hello', input: { name: 'Ada' } }] }])
  expect(result).toMatchObject({ outcome: 'called', result: { success: true } })
  expect(result).not.toHaveProperty('summary')
  expect(received).toBe(1)
})
statement('D47', async () => {
  expect(await summarized([rome])).toMatchObject({ bullets: [{ claim: rome.claim, evidence: rome.evidence }] })
})
statement('D48', async () => {
  const { bullets } = await summarized([rome])
  expect(source.text.slice(bullets[0]!.start, bullets[0]!.end)).toBe(rome.evidence)
})
statement('D49', async () => {
  const invented = [
    { claim: 'The board met in Oslo.', evidence: 'The board met in Rome.' },
    { claim: 'The board met in Oslo.', evidence: 'The board met in Oslo.' },
  ]
  expect(await summarized([...invented, rome])).toMatchObject({ bullets: [rome], droppedCount: 2 })
})
statement('D50', async () => {
  expect(
    await summarize(source, { model: await openScript([JSON.stringify({ type: 'summary', bullets: [rome] })]) }),
  ).toMatchObject({ bullets: [rome] })
  for (const answer of [
    { bullets: [rome] },
    { type: 'summary', bullets: [{ claim: rome.claim }] },
    { type: 'summary' },
  ])
    expect(await summarize(source, { model: await openScript([JSON.stringify(answer)]) })).not.toMatchObject({
      bullets: [rome],
    })
})

const source = toSourceText({ text: 'The board met in Rome. It did not approve the budget.' })
const rome = { claim: 'The board met in Rome.', evidence: 'The board met in Rome.' }

const hello = () => callOverMcp('learning', 'hello', { name: 'Ada' })

async function summarized(bullets: readonly object[]) {
  const model = await openScript([JSON.stringify({ type: 'summary', bullets })])
  const summary = await summarize(source, { model })
  if (!('bullets' in summary)) throw new Error(JSON.stringify(summary))
  return summary
}

/** Asks a question of a model that plans what the script says, over the one tool `hello`. */
async function plan(script: Script) {
  const server = await openScriptedModel(script)
  const toolpact = await openToolpact({ toolsets: ['learning'], storage: 'memory' })
  onTestFinished(async () => {
    await toolpact.close()
    await server[Symbol.asyncDispose]()
  })
  const model = openModel({ url: server.url, model: 'scripted', timeoutMs: 20_000 })
  const planner = createModelPlanner(model, 'tools')
  const result = await ask(toolpact, 'Greet Ada.', { gate: await createInputGate(), planner, only: ['learning.hello'] })
  const records = (await toolpact.ledger.read({})).map(({ record }) => record)
  return {
    result,
    offered: JSON.stringify(server.received[0]!.body.tools),
    received: server.received.length,
    calls: records.filter(({ kind }) => kind === 'intent').length,
  }
}

async function openScript(script: Script) {
  const server = await openScriptedModel(script)
  onTestFinished(() => server[Symbol.asyncDispose]())
  return openModel({ url: server.url, model: 'scripted', timeoutMs: 20_000, retryDelayMs: 1 })
}
