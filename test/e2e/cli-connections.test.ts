import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { type AuthorizationServer, startAuthorizationServer } from '../helpers/authorization-server.ts'
import { hasTmux, openScreens } from '../helpers/open-screens.ts'
import { startProtectedServer } from '../helpers/protected-server.ts'
import { entries, openCommandFolder } from '../helpers/run-command.ts'

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

async function setUp(options: { readonly accessTokenSeconds?: number } = {}) {
  const issuer = await startAuthorizationServer(options)
  const mail = await startProtectedServer({ issuer: () => issuer.issuer })
  const opened = openCommandFolder()
  closing.push(opened.close, issuer.close, mail.close)
  const write = (more: object = {}) =>
    writeFileSync(
      join(opened.folder, 'toolpact.json'),
      JSON.stringify({
        mcpServers: { mail: { url: mail.url, withoutOutputSchema: 'opaque', approval: 'reads', ...more } },
      }),
    )
  return { ...opened, issuer, mail, write, config: ['--config', 'toolpact.json'] }
}

type Stage = Awaited<ReturnType<typeof setUp>>

/** Runs `connections add` and does in the browser what its link asks for. */
async function connect({ run, issuer, config }: Stage, as = 'ada', more: readonly string[] = []) {
  return run(['connections', 'add', 'mail', '--print', ...config, ...more], {
    during(child) {
      let printed = ''
      const read = async (text: string) => {
        printed += text
        const [link] = /http:\S+\/auth\?\S+(?=\n)/.exec(printed) ?? []
        if (link === undefined) return
        printed = ''
        await visit(issuer, link, as)
      }
      child.stdout!.on('data', read)
      child.stderr!.on('data', read)
    },
  })
}

async function visit(issuer: AuthorizationServer, link: string, as: string) {
  const page = await fetch(await issuer.logIn(link, as))
  expect(page.status).toBe(200)
  expect(page.headers.get('content-security-policy')).toContain("default-src 'none'")
  expect(await page.text()).toContain('return to the terminal')
}

test('a login in the browser makes the tools of a server callable, and is listed, tested and removed', async () => {
  const stage = await setUp()
  stage.write()
  const { run, config, folder, issuer } = stage
  const before = await run(['call', 'mail.whoami', ...config])
  expect(before.code).not.toBe(0)
  const connected = await connect(stage)
  expect(connected).toMatchObject({ code: 0, stderr: expect.stringContaining(`mail requires a login at ${issuer.issuer}`) }) // biome-ignore format: one line
  expect(connected.stdout).toContain('✓ Connected to mail.')
  expect(JSON.parse(readFileSync(join(folder, 'toolpact.json'), 'utf8')).mcpServers.mail.authorization).toEqual({ mode: 'user' }) // biome-ignore format: one line
  expect((await run(['call', 'mail.whoami', ...config])).stdout).toContain('You are ada.')
  expect((await run(['connections', ...config])).stdout).toMatch(/^mail +local +connected \d{4}-\d{2}-\d{2} +http/)
  expect(JSON.parse((await run(['connections', 'list', '--json', ...config])).stdout)).toEqual([
    { owner: 'local', server: 'mail', issuer: issuer.issuer, connected_at: expect.stringMatching(/Z$/) },
  ])
  expect((await connect(stage, 'grace', ['--owner', 'grace@example', '--json'])).stdout).toContain(
    '"owner":"grace@example"',
  )
  expect((await run(['connections', 'remove', 'mail', '--owner', 'grace@example', ...config])).code).toBe(0)
  expect((await run(['connections', 'test', 'mail', ...config])).stdout).toContain('✓ mail accepts the connection.')
  expect((await run(['connections', 'remove', 'mail', ...config])).stdout).toBe('Removed the connection to mail.\n')
  expect(await run(['connections', 'test', 'mail', ...config])).toMatchObject({ code: 1, stderr: expect.stringContaining('local is not connected to mail') }) // biome-ignore format: one line
  const after = await run(['call', 'mail.whoami', ...config])
  expect(after.stdout + after.stderr).toContain('toolpact connections add mail')
})

test('no output contains a token', async () => {
  const stage = await setUp()
  stage.write()
  const { run, config, mail } = stage
  const printed = [await connect(stage), await run(['call', 'mail.whoami', ...config]), await run(['mcp', 'inspect', 'mail', '--json', ...config]), await run(['ledger', '--json', ...config])] // biome-ignore format: one line
  expect(mail.seen.length).toBeGreaterThan(0)
  for (const token of mail.seen) for (const { stdout, stderr } of printed) expect(stdout + stderr).not.toContain(token)
})

test('eight processes whose token is rejected ask the issuer for a new one once', async () => {
  const stage = await setUp()
  stage.write({ authorization: {} })
  await connect(stage)
  const { run, config, issuer, mail } = stage
  expect((await run(['call', 'mail.whoami', ...config])).stdout).toContain('You are ada.')
  for (const token of mail.seen) mail.reject(token)
  const calls = Array.from({ length: 8 }, () => run(['call', 'mail.whoami', ...config], { alone: true }))
  for (const { stdout, stderr } of await Promise.all(calls)) expect(stdout + stderr).toContain('You are ada.')
  expect(issuer.count('refresh_token')).toBe(1)
})

test('a process that is killed after it has renewed a token loses nothing', async () => {
  const stage = await setUp({ accessTokenSeconds: 2 })
  stage.write({ authorization: {} })
  await connect(stage)
  const { run, config, mail } = stage
  await new Promise((resolve) => setTimeout(resolve, 2100))
  const seen = mail.seen.length
  await run(['call', 'mail.whoami', ...config], {
    async during(child) {
      const timer = setInterval(() => {
        if (mail.seen.length > seen) child.kill('SIGKILL')
      }, 1)
      await once(child, 'exit')
      clearInterval(timer)
    },
  })
  expect((await run(['connections', 'test', 'mail', ...config])).code).toBe(0)
})

test('a server that needs no login, an unknown one and a port in use are explained', async () => {
  const stage = await setUp()
  stage.write()
  const { run, config } = stage
  expect(await run(['connections', 'add', 'post', ...config])).toMatchObject({ code: 1, stderr: expect.stringContaining('There is no server post in the config') }) // biome-ignore format: one line
  expect(await run(['connections', 'add', ...config])).toMatchObject({ code: 2, stderr: expect.stringContaining('needs the name of a server') }) // biome-ignore format: one line
  expect(await run(['connections', 'delete', 'mail', ...config])).toMatchObject({ code: 2, stderr: expect.stringContaining("no action 'delete'") }) // biome-ignore format: one line
  expect(await run(['connections', 'remove', 'mail', ...config])).toMatchObject({ code: 2, stderr: expect.stringContaining('There is no connection to') }) // biome-ignore format: one line
  const port = new URL(stage.mail.url).port
  expect(await run(['connections', 'add', 'mail', '--port', port, ...config])).toMatchObject({ code: 2, stderr: expect.stringContaining(`Port ${port} cannot be used (EADDRINUSE)`) }) // biome-ignore format: one line
})

describe.skipIf(!hasTmux)('in a terminal', () => {
  test('mcp add finds out that a server requires a login, and takes the pasted address', async () => {
    const stage = await setUp()
    const { folder, env, issuer, mail } = stage
    const screens = openScreens({ folder, env })
    closing.push(() => screens.close())
    const screen = screens.open('add', `${process.execPath} ${entries.toolpact} mcp add mail ${mail.url}`, 400)
    await screen.until('Log in now?')
    screen.type('Enter')
    await screen.until('Or paste the address')
    const [link] = /http:\S+\/auth\?\S+/.exec(screen.lines().join('\n'))!
    const ended = await issuer.logIn(link, 'grace')
    screen.type(ended.href.replaceAll(';', '\\;'), 'Enter')
    await screen.until('✓ Connected to mail.')
    await screen.until('How may they be used?')
    screen.type('r', 'Enter')
    await screen.until('done:0')
    expect(JSON.parse(readFileSync(join(folder, 'toolpact.json'), 'utf8')).mcpServers.mail).toMatchObject({ authorization: { mode: 'user' }, approval: 'reads' }) // biome-ignore format: one line
  })
})
