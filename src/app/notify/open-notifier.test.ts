import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test, vi } from 'vitest'
import { makeFolder } from '../../../test/helpers/open-test-pipeline.ts'
import type { ApprovalRequest } from '../../runtime/approval/approver.ts'
import type { Config } from '../config/config.ts'
import { openNotifier } from './open-notifier.ts'

const asked = {
  caller: { name: 'codex\u202e' },
  contract: { risk: 'dangerous' },
  binding: { tool: 'workspace.create_file', workspace: '/home/ada/project' },
  input: { content: 'a secret' },
} as unknown as ApprovalRequest

const notice = {
  id: 'q1',
  tool: 'workspace.create_file',
  risk: 'dangerous',
  caller: 'codex\\u{202e}',
  workspace: 'project',
  link: 'http://127.0.0.1:7420/console/inbox/q1',
}

test('posts each question with a signature over its time and body, and nothing of its input', async () => {
  vi.stubEnv('HOOK_SECRET', 's3cret')
  const { url, host, received } = await listen(() => 204)
  const { notify, reports } = open({ webhook: { url: `${url}/hook?a=1`, secretEnv: 'HOOK_SECRET' } }, host)
  notify('q1')
  await vi.waitUntil(() => received.length > 0, { timeout: 60_000 })
  const [{ request, body }] = received as [Received]
  expect(request.url).toBe('/hook?a=1')
  expect(JSON.parse(body)).toEqual({ event: 'question', ...notice })
  const [, time, sent] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(request.headers['toolpact-signature']))!
  expect(sent).toBe(createHmac('sha256', 's3cret').update(`${time}.${body}`).digest('hex'))
  expect(reports).toEqual([])
})

test('tries again, and reports a failure once and the recovery once', async () => {
  const statuses = [500, 429, 200, 200]
  const { url, host, received } = await listen(() => statuses.shift()!)
  const { notify, reports } = open({ webhook: { url } }, host)
  notify('q1')
  await vi.waitUntil(() => reports.length === 2, { timeout: 60_000 })
  notify('q2')
  await vi.waitUntil(() => received.length === 4, { timeout: 60_000 })
  expect(reports).toEqual([
    'People were not notified of a question: the webhook in approval.notify failed (it answered with status 500). Trying again for a few minutes. Questions can still be answered: toolpact approvals.',
    'Notifications work again: the webhook in approval.notify.',
  ])
  expect(received.every(({ request }) => request.headers['toolpact-signature'] === undefined)).toBe(true)
})

test('gives up after the last attempt, and says at the recovery how many were lost', async () => {
  let status = 503
  const { url, host, received } = await listen(() => status)
  const { notify, reports } = open({ webhook: { url } }, host)
  notify('q1')
  await vi.waitUntil(() => received.length === 3, { timeout: 60_000 })
  status = 200
  await vi.waitUntil(
    async () => {
      notify('q2')
      return reports.length === 2
    },
    { timeout: 60_000 },
  )
  expect(reports[1]).toContain('1 were lost: toolpact approvals lists what is pending.')
})

test.each([
  [
    'a private address that is not allowed',
    {},
    /127\.0\.0\.1 is a loopback address; add the host to policy\.allowHosts/,
  ],
  ['a redirect', { status: 302 }, /it answered with status 302/],
  ['a secret that is not set', { secretEnv: 'NO_SUCH_SECRET', isAllowed: true }, /variable NO_SUCH_SECRET is not set/],
])('posts nothing after %s', async (_, { status = 200, isAllowed = status !== 200, ...more }: Odd, why) => {
  const { url, host, received } = await listen(() => status)
  const { notify, reports } = open({ webhook: { url, ...more } }, isAllowed ? host : 'other.example')
  notify('q1')
  await vi.waitUntil(() => reports.length > 0, { timeout: 60_000 })
  expect(reports[0]).toMatch(why)
  expect(received).toHaveLength(status === 200 ? 0 : 1)
})

test('runs a program without a shell, with the question in its environment and no secrets of ours', async () => {
  vi.stubEnv('HOOK_SECRET', 's3cret')
  const folder = makeFolder()
  const program = join(folder, 'notify it')
  writeFileSync(
    program,
    `#!/bin/sh\nprintf '%s\\n' "$1" >> "${folder}/out.part"\nenv >> "${folder}/out.part"\nmv "${folder}/out.part" "${folder}/out"\n`,
  )
  chmodSync(program, 0o755)
  const { notify, reports } = open({ command: [program, '$(touch pwned); `id`'] })
  notify('q1')
  await vi.waitUntil(() => existsSync(join(folder, 'out')), { timeout: 60_000 })
  const lines = readFileSync(join(folder, 'out'), 'utf8').split('\n')
  expect(lines[0]).toBe('$(touch pwned); `id`')
  for (const [name, value] of Object.entries(notice))
    expect(lines).toContain(`TOOLPACT_QUESTION_${name.toUpperCase()}=${value}`)
  expect(lines.join()).not.toContain('s3cret')
  expect(reports).toEqual([])
})

test('reports a program that fails or is missing', async () => {
  for (const [command, why] of [
    [['false'], /false ended with exit code 1/],
    [['no-such-program-here'], /no-such-program-here was not found/],
  ] as const) {
    const { notify, reports } = open({ command })
    notify('q1')
    await vi.waitUntil(() => reports.length > 0, { timeout: 60_000 })
    expect(reports[0]).toMatch(why)
  }
})

interface Odd {
  readonly status?: number
  readonly isAllowed?: boolean
  readonly secretEnv?: string
}

interface Received {
  readonly request: IncomingMessage
  readonly body: string
}

async function listen(answer: () => number) {
  const received: Received[] = []
  const server = createServer(async (request, response) => {
    received.push({ request, body: await text(request) })
    response.writeHead(answer(), { location: '/elsewhere' }).end()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return { url: `http://${host}`, host, received }
}

function open(notify: NonNullable<NonNullable<Config['approval']>['notify']>, ...allowHosts: string[]) {
  const reports: string[] = []
  const notifier = openNotifier({
    config: () => ({ approval: { notify }, policy: { allowHosts } }) as unknown as Config,
    findConsole: async () => 'http://127.0.0.1:7420',
    report: (message) => reports.push(message),
    retryMs: [5, 5],
  })
  onTestFinished(notifier.close)
  onTestFinished(() => {
    vi.unstubAllEnvs()
  })
  return { notify: (id: string) => notifier.notify(asked, id), reports }
}
