import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { userInfo } from 'node:os'
import { delimiter, join } from 'node:path'
import { expect, test } from 'vitest'
import { openBrowser } from '../helpers/open-console.ts'
import { until, useServeFolders } from '../helpers/open-serve.ts'

const openServeFolder = useServeFolders()
const { username } = userInfo()

test.concurrent('the console opens with the link that was printed, or with one made later', async () => {
  const { start, run } = openServeFolder()
  const { url, port, console, send } = await start(['--show-link'])
  const later = (await run(['token', 'link', '--port', `${port}`])).stdout.trim()
  const printed = (await run(['open', '--print', '--view-only', '--port', `${port}`])).stdout.trim()
  for (const [link, rights] of [
    [console, ['view', 'approve', 'manage']],
    [later, ['view', 'approve', 'manage']],
    [printed, ['view']],
  ] as const) {
    const opened = await send(link.slice(url.length), { token: null })
    expect(opened.status).toBe(303)
    const { get } = openBrowser(url, opened.headers['set-cookie']![0]!.split(';')[0]!)
    expect((await get('session')).json).toMatchObject({ person: username, rights })
    const { clients, canCreateToken } = (await get('clients')).json
    expect(JSON.stringify(clients)).toMatch(/Bearer YOUR_TOKEN.*--stdio/)
    expect(canCreateToken).toBe(true)
    expect((await send(link.slice(url.length), { token: null })).status).toBe(401)
  }
  const found = (await run(['open', '--print'])).stdout.trim()
  expect(found).toMatch(new RegExp(`^${url}/console\\?once=[\\w-]{43}$`))
  expect((await run(['token', 'list'])).stderr).toContain('There are no tokens yet.')
  const nobody = await run(['open', '--port', '1'])
  expect(nobody).toMatchObject({ code: 2, stderr: expect.stringContaining('Start one with toolpact serve') })
})

test.concurrent('no token of a caller gives a link, so that no client approves its own calls', async () => {
  const { start, findToken, run } = openServeFolder()
  const { send } = await start()
  for (const token of [null, await findToken(), (await run(['token', 'ci'])).stdout.trim(), 'x']) {
    const answer = await send('/link', { method: 'POST', token })
    expect([401, 404]).toContain(answer.status)
    expect(answer.json.url).toBeUndefined()
  }
})

test.runIf(process.platform === 'linux')(
  'open hands the link to the browser, and prints it if there is none',
  async () => {
    const { start, run, folder, env } = openServeFolder()
    const { url, port, send } = await start()
    const programs = join(folder, 'programs')
    mkdirSync(programs)
    const xdgOpen = join(programs, 'xdg-open')
    writeFileSync(xdgOpen, `#!/bin/sh\nprintf '%s' "$*" > "${join(folder, 'opened')}"\n`)
    chmodSync(xdgOpen, 0o755)
    const withBrowser = { ...env, DISPLAY: ':0', PATH: `${programs}${delimiter}${env.PATH}` }
    const opened = await run(['open', '--port', `${port}`], { env: withBrowser })
    expect(opened).toMatchObject({ code: 0, stdout: `Opened ${url}/console in the browser.\n`, stderr: '' })
    const link = readFileSync(join(folder, 'opened'), 'utf8')
    expect((await send(link.slice(url.length), { token: null })).status).toBe(303)
    writeFileSync(xdgOpen, '#!/bin/sh\nexit 3\n')
    for (const broken of [withBrowser, { ...env, DISPLAY: '', WAYLAND_DISPLAY: '' }]) {
      const { stdout, stderr } = await run(['open', '--port', `${port}`], { env: broken })
      expect(stdout).toMatch(new RegExp(`^${url}/console\\?once=[\\w-]{43}\n$`))
      expect(stderr).toContain('No browser could be opened.')
    }
  },
)

test.concurrent('answering in the console lets a call of another process run', async () => {
  const { start, run, folder } = openServeFolder()
  const { url, console, send } = await start(['--show-link'])
  const opened = await send(console.slice(url.length), { token: null })
  const { get, post } = openBrowser(url, opened.headers['set-cookie']![0]!.split(';')[0]!)
  const calling = run(['call', 'workspace.create_file', 'path=a.txt', 'content=hi'])
  await until(async () => (await get('questions')).json.pending.length === 1)
  const [{ id, caller, isAwaited }] = (await get('questions')).json.pending
  expect({ caller, isAwaited }).toEqual({ caller: 'cli', isAwaited: true })
  expect((await post('questions/answer', { ids: [id], answer: 'yes' })).json.answers[0].result).toBe('approved')
  expect((await calling).code).toBe(0)
  expect(existsSync(join(folder, 'a.txt'))).toBe(true)
  expect((await get(`calls/${id}`)).json).toMatchObject({ approval: { by: username, via: 'console' } })
})
