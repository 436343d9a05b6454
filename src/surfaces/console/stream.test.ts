import { type ClientRequest, request as openRequest } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { openConsole } from '../../../test/helpers/open-console.ts'
import { defineEcho } from '../../../test/helpers/open-test-pipeline.ts'
import { openToolpact } from '../../app/app.ts'
import { defineToolset } from '../../contract/define-toolset.ts'
import { createCallEvents } from './call-events.ts'

const tools = defineToolset('test', [defineEcho(), defineEcho({ name: 'asks', approval: 'ask' })])

let release = () => {}
const slow = defineToolset('slow', [
  defineEcho({ name: 'echo' }, async ({ text }) => {
    await new Promise<void>((resolve) => {
      release = resolve
    })
    return { said: text! }
  }),
])

interface Message {
  readonly event: string
  readonly id?: number
  readonly data: ReturnType<typeof JSON.parse>
}

/** Reads a stream until it is closed, or the test is over. */
function listen(url: string, cookie: string, lastId?: number) {
  const messages: Message[] = []
  let text = ''
  let isEnded = false
  const headers = { Cookie: cookie, ...(lastId !== undefined && { 'Last-Event-ID': `${lastId}` }) }
  const sent: ClientRequest = openRequest(`${url}/console/api/stream`, { headers, agent: false }, (response) => {
    response.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk
      const blocks = text.split('\n\n')
      text = blocks.pop()!
      for (const block of blocks) {
        const { id, event, data } = Object.fromEntries(block.split('\n').map((line) => [line.split(': ', 1)[0], line.slice(line.indexOf(': ') + 2)])) // biome-ignore format: one line
        if (data !== undefined) messages.push({ event: event!, ...(id && { id: Number(id) }), data: JSON.parse(data) })
      }
    })
    response
      .on('error', () => {})
      .on('close', () => {
        isEnded = true
      })
  })
  sent.on('error', () => {}).end()
  onTestFinished(() => void sent.destroy())
  return {
    messages,
    close: () => sent.destroy(),
    of: (event: string) => messages.filter((message) => message.event === event),
    isEnded: () => isEnded,
    until: (isSo: () => boolean) => expect.poll(isSo, { timeout: 20_000 }).toBe(true),
  }
}

test('a browser gets the overview, its position, the checks of calls as they happen, and calls that ended', async () => {
  const { url, signIn, toolpact } = await openConsole({ toolsets: [tools] })
  const { cookie } = await signIn()
  const { messages, of, until } = listen(url, cookie)
  await until(() => messages.length >= 2)
  expect(messages.slice(0, 2).map(({ event, id }) => [event, id])).toEqual([['overview', undefined], ['entries', 0]]) // biome-ignore format: one line
  const { callId } = await toolpact.call('test.echo', { text: 'hi' })
  await until(() => of('calls').length > 0 && of('entries').length > 1)
  const live = of('calls').at(-1)!.data.calls[0]
  expect(live).toMatchObject({
    callId,
    tool: 'test.echo',
    caller: 'library',
    checks: { resolve: 'passed', approve: 'not_needed', run: 'passed', output: 'passed' },
    ended: { code: null, ran: true },
  })
  expect(of('entries').at(-1)).toMatchObject({ id: 2, data: { calls: [{ callId, state: 'succeeded', seq: 1 }] } })
  await until(() => of('overview').at(-1)!.data.ledger.head === 2)
})

test('a browser that comes back continues where it was, with calls of other processes', async () => {
  const { url, signIn, toolpact, stateDirectory } = await openConsole({ toolsets: [tools] })
  const { cookie } = await signIn()
  const first = listen(url, cookie)
  await first.until(() => first.of('entries').length > 0)
  const other = await openToolpact({ stateDirectory, toolsets: [tools] })
  onTestFinished(() => other.close())
  await other.call('test.echo', { text: 'one' }, { caller: { name: 'other' } })
  await first.until(() => first.of('entries').some(({ data }) => data.calls[0]?.caller === 'other'))
  const { id } = first.of('entries').at(-1)!
  first.close()
  await other.call('test.echo', { text: 'two' })
  await toolpact.call('test.echo', { text: 'three' })
  const second = listen(url, cookie, id)
  await second.until(() => second.of('entries').length > 0)
  const { data, id: next } = second.of('entries')[0]!
  expect(data.calls.map(({ inputText }: { inputText: string }) => inputText)).toEqual(['two', 'three'].map((text) => `{"text":"${text}","times":1}`)) // biome-ignore format: one line
  expect(next).toBe(id! + 4)
  await toolpact.call('test.echo', { text: 'four' })
  await second.until(() => second.of('entries').length > 1)
  expect(second.of('entries')[1]).toMatchObject({ id: id! + 6, data: { calls: [{ state: 'succeeded' }] } })
})

test('a browser that missed too much, or comes from another ledger, is told to load again', async () => {
  const { url, signIn, toolpact } = await openConsole({ toolsets: [tools], storage: 'memory' })
  const { cookie } = await signIn()
  for (let number = 0; number < 260; number++) await toolpact.call('test.echo', { text: 'x' })
  for (const after of [1, 99_999]) {
    const { messages, until } = listen(url, cookie, after)
    await until(() => messages.length >= 2)
    expect(messages[1]).toEqual({ event: 'reset', id: 520, data: { head: 520 } })
  }
  const { messages, until } = listen(url, cookie, 518)
  await until(() => messages.length >= 2)
  expect(messages[1]).toMatchObject({ event: 'entries', id: 520, data: { calls: [{ seq: 519 }] } })
})

test('a browser that connects gets the calls in flight of every process, and how they end', async () => {
  const { url, signIn, toolpact, askAndWait, stateDirectory } = await openConsole({ toolsets: [tools, slow] })
  const { cookie } = await signIn()
  const other = await openToolpact({ stateDirectory, toolsets: [tools, slow] })
  onTestFinished(() => other.close())
  const running = other.call('slow.echo', { text: 'one' }, { caller: { name: 'other' } })
  const waiting = askAndWait('test.asks', { text: 'two' })
  const isWaiting = async () => (await toolpact.approvals.questions(Date.now())).some(({ awaitedBy }) => awaitedBy)
  await expect.poll(isWaiting).toBe(true)
  await expect.poll(async () => (await toolpact.ledger.calls({ tool: 'slow.echo' })).calls.length).toBe(1)
  const { of, until } = listen(url, cookie)
  await until(() => of('inFlight').length > 0)
  const { live, running: rows } = of('inFlight')[0]!.data
  expect(live).toMatchObject([{ tool: 'test.asks', caller: 'codex', checks: { check: 'passed', approve: 'begun' } }])
  expect(rows).toMatchObject([{ tool: 'slow.echo', caller: 'other', state: 'running' }])
  await toolpact.approvals.answer(live[0].callId, { answer: 'yes', by: 'Ada' }, Date.now())
  release()
  expect([(await running).callId, (await waiting).callId]).toEqual([rows[0].callId, live[0].callId])
  const ended = () => of('entries').flatMap(({ data }) => data.calls.map(({ callId }: { callId: string }) => callId))
  await until(() => [rows[0].callId, live[0].callId].every((id) => ended().includes(id)))
})

test('questions are announced when they are asked, answered in any process, and when they expire', async () => {
  const { url, signIn, ask, toolpact, stateDirectory } = await openConsole({ toolsets: [tools] })
  const { cookie } = await signIn()
  const { of, until } = listen(url, cookie)
  await until(() => of('entries').length > 0)
  const id = await ask('test.asks', { text: 'hi' })
  await until(() => of('questions').length > 0)
  expect(of('questions')[0]!.data).toEqual({ count: 1, asked: [id] })
  await until(() => of('overview').at(-1)!.data.questions === 1)
  const other = await openToolpact({ stateDirectory, toolsets: [tools] })
  onTestFinished(() => other.close())
  await other.approvals.answer(id, { answer: 'no', by: 'Grace' }, Date.now())
  await until(() => of('questions').some(({ data }) => data.count === 0))
  const { awaitedBy: _, ...found } = (await toolpact.approvals.find(id, Date.now()))!
  const question = { ...found, id: 'short', inputDigest: 'other', summary: { risk: 'x', caller: { name: 'x' }, target: '' }, details: {} } // biome-ignore format: one line
  await toolpact.approvals.request({ ...question, askedAt: Date.now(), expiresAt: Date.now() + 700 }, Date.now())
  await until(() => of('questions').at(-1)!.data.asked[0] === 'short')
  await until(() => of('questions').at(-1)!.data.count === 0)
})

test('a changed rule is announced', async () => {
  const { url, signIn, toolpact } = await openConsole({ toolsets: [tools] })
  const { cookie } = await signIn()
  const { of, until } = listen(url, cookie)
  await until(() => of('entries').length > 0)
  // The version is noted within a second after the first browser came.
  await new Promise((resolve) => setTimeout(resolve, 1200))
  await toolpact.rules.add({ tool: 'test.asks', pattern: '*', createdBy: 'Ada' })
  await until(() => of('rules').length > 0)
})

test('while no browser is connected, calls are not observed', async () => {
  const { url, signIn, toolpact } = await openConsole({ toolsets: [tools] })
  const calls = createCallEvents()
  expect(calls.observe.isIdle).toBe(true)
  const { stop } = calls.listen(() => {})
  expect(calls.observe.isIdle).toBe(false)
  stop()
  expect(calls.observe.isIdle).toBe(true)
  const { cookie } = await signIn()
  const { of, until, close } = listen(url, cookie)
  await until(() => of('entries').length > 0)
  close()
  await toolpact.call('test.echo', { text: 'unseen' })
  const again = listen(url, cookie)
  await again.until(() => again.of('entries').length > 0)
  await toolpact.call('test.echo', { text: 'seen' })
  await again.until(() => again.of('calls').length > 0)
  expect(again.of('calls').flatMap(({ data }) => data.calls).length).toBe(1)
})

test('a flood of calls is sent in few messages, and hostile text in them stays one line of text', async () => {
  const { url, signIn, toolpact } = await openConsole({ toolsets: [tools], storage: 'memory' })
  const { cookie } = await signIn()
  const { of, until, messages } = listen(url, cookie)
  await until(() => of('entries').length > 0)
  const name = 'evil\n\nevent: reset\ndata: {}\n\n\u202e</script>'
  for (let number = 0; number < 300; number++) await toolpact.call('test.echo', { text: 'x' }, { caller: { name } })
  await until(() => messages.some(({ id }) => id === 600) && of('calls').length > 0)
  expect(of('calls').length).toBeLessThan(150)
  const shown = of('calls').flatMap(({ data }) => data.calls.map(({ caller }: { caller: string }) => caller))
  expect(new Set(shown)).toEqual(new Set(['evil\n\nevent: reset\ndata: {}\n\n\\u{202e}</script>']))
  expect(messages.every(({ event }) => ['overview', 'entries', 'inFlight', 'calls', 'reset'].includes(event))).toBe(
    true,
  )
})

test('closing the server ends the streams', async () => {
  const { url, signIn, close } = await openConsole({ toolsets: [tools] })
  const { cookie } = await signIn()
  const { of, until, isEnded } = listen(url, cookie)
  await until(() => of('entries').length > 0)
  await close(10_000)
  await until(isEnded)
})
