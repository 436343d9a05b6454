import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ask } from '../../src/agent/ask/ask.ts'
import { createInputGate } from '../../src/agent/ask/check-question.ts'
import { createModelPlanner } from '../../src/agent/ask/planner.ts'
import { openChat } from '../../src/agent/chat/chat.ts'
import { openModel } from '../../src/capabilities/model.ts'
import { probe } from '../../src/capabilities/sandbox/probe.ts'
import { instructionsName } from '../../src/contract/offer.ts'
import { isAlive } from '../helpers/is-alive.ts'
import { until } from '../helpers/open-changeling.ts'
import { openScriptedModel } from '../helpers/scripted-model.ts'
import { tryConfined } from './confined.ts'
import { toConfinedSection, toDocument } from './document.ts'
import { hasRealServers, installRealServers } from './installed.ts'
import { openRealServers } from './open-real-servers.ts'
import { type RealServer, realServers } from './servers.ts'

const page = new URL('../../docs/upstream-compatibility.md', import.meta.url)
const readPage = () => readFileSync(page, 'utf8').replaceAll('\r\n', '\n')
const canConfine = 'driver' in (await probe())
const canRun = hasRealServers() || process.env.CI !== undefined

describe.skipIf(!canRun)('real servers (node scripts/install-real-servers.ts installs them)', () => {
  let opened: Awaited<ReturnType<typeof openRealServers>>
  let processes: number[]
  beforeAll(async () => {
    installRealServers()
    const before = new Set(listDescendants())
    opened = await openRealServers()
    processes = listDescendants().filter((pid) => !before.has(pid))
  }, 600_000)
  afterAll(() => opened?.close())

  test('are twelve at least, of every revision', () => {
    expect(realServers.length).toBeGreaterThanOrEqual(12)
    const revisions = new Set(realServers.map(({ name }) => opened.statusOf(name).revision))
    expect([...revisions].sort()).toEqual(['2024-11-05', '2025-11-25', '2026-07-28'])
  })

  test.each(realServers)(
    '$package is connected, and each of its tools is admitted or withheld',
    ({ name, protocol }) => {
      const { state, fault, revision, admitted, withheld, ...status } = opened.statusOf(name)
      // Instructions are neither: they are passed on once a person accepts them.
      const definitions = status.definitions.filter((one) => one.name !== instructionsName)
      expect({ state, fault }).toEqual({ state: 'ready', fault: undefined })
      if (protocol) expect(revision).toBe(protocol)
      expect(definitions.length).toBeGreaterThan(0)
      expect(admitted.length + withheld.length).toBe(definitions.length)
      expect(admitted.length / definitions.length).toBeGreaterThan(0.9)
    },
  )

  test.each(realServers.filter(({ call }) => call))('$package answers a call', async (server: RealServer) => {
    const result = await opened.call(server)
    expect(result).toMatchObject({ success: true })
    expect(JSON.stringify(result)).toContain(server.call!.says)
  })

  test('are served under one name each', async () => {
    const names = (await opened.toolpact.catalog.all()).map(({ name }) => name)
    const admitted = realServers.flatMap(({ name }) => opened.statusOf(name).admitted)
    expect(new Set(names).size).toBe(admitted.filter(({ tool }) => !tool.forApps && !tool.offer).length)
    for (const name of names) expect(name).toMatch(/^[a-zA-Z0-9_-]{1,45}$/)
  })

  test('are called by a model in a session, which is offered those tools that fit its question', async () => {
    const { name, call } = realServers.find(({ name }) => name === 'everything')!
    const known = `${name}_${call!.tool}`
    await using scripted = await openScriptedModel([{ calls: [{ name: known, input: call!.input }] }, 'It is warm.'])
    const model = openModel({ url: scripted.url, model: 'scripted', timeoutMs: 60_000 })
    const chat = await openChat(opened.toolpact, { session: 'real', model, onEvent() {} })
    const question = 'Get structured content: weather data for a location'
    expect(await chat.say(question, new AbortController().signal)).toMatchObject({ outcome: 'answered', steps: 2 })
    expect(scripted.received[0]!.body.tools).toHaveLength(64)
    expect(scripted.received[1]!.said.at(-1)!.content).toContain(call!.says)
  })

  test('answer a question by one call, of a tool that the model chose among those that fit', async () => {
    const { name, call } = realServers.find(({ name }) => name === 'everything')!
    const known = `${name}_${call!.tool}`
    await using scripted = await openScriptedModel([{ calls: [{ name: known, input: call!.input }] }])
    const planner = createModelPlanner(openModel({ url: scripted.url, model: 'scripted', timeoutMs: 60_000 }))
    const question = 'Get structured content: weather data for a location'
    const asked = await ask(opened.toolpact, question, { gate: await createInputGate(), planner })
    expect(asked).toMatchObject({ outcome: 'called', output: 'typed', result: { success: true } })
    expect(JSON.stringify(asked)).toContain(call!.says)
  })

  test('do what docs/upstream-compatibility.md says (node scripts/measure-real-servers.ts writes it)', () => {
    expect(readPage().slice(0, readPage().indexOf('\n## Confined'))).toBe(toDocument(opened.statusOf))
  })

  test.skipIf(!canConfine)('do in the sandbox what that page says (skipped where none works)', async () => {
    expect(readPage().slice(readPage().indexOf('\n## Confined'))).toBe(toConfinedSection(await tryConfined()))
  })

  // The last one, since it ends them.
  test('are gone when the host is closed, with every process that they started', async () => {
    expect(processes.length).toBeGreaterThanOrEqual(realServers.length)
    await opened.close()
    await until(() => !processes.some(isAlive))
  })
})

/** Every process below this one. */
function listDescendants(): number[] {
  const table = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' })
  const pairs = table
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number))
  const found = [process.pid]
  for (const parent of found) found.push(...pairs.filter(([, above]) => above === parent).map(([pid]) => pid!))
  return found.slice(1)
}
