import { once } from 'node:events'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { type AuthorizationServerOptions, startAuthorizationServer } from '../helpers/authorization-server.ts'
import { startProtectedServer } from '../helpers/protected-server.ts'
import { openCommandFolder } from '../helpers/run-command.ts'

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

async function setUp(options: AuthorizationServerOptions = {}) {
  const issuer = await startAuthorizationServer(options)
  const mail = await startProtectedServer({ issuer: () => issuer.issuer })
  const opened = openCommandFolder()
  closing.push(opened.close, issuer.close, mail.close)
  const server = { url: mail.url, authorization: {}, withoutOutputSchema: 'opaque', approval: 'reads' }
  const write = (more: object = {}) => writeFileSync(join(opened.folder, 'toolpact.json'), JSON.stringify({ mcpServers: { mail: server }, ...more })) // biome-ignore format: one line
  write()
  const config = ['--config', 'toolpact.json']
  /** Runs `connections add`, and does on the page that it prints what a person would. */
  const add = (more: readonly string[], page: RegExp) =>
    opened.run(['connections', 'add', 'mail', ...more, ...config], {
      during(child) {
        let printed = ''
        const read = async (text: string) => {
          printed += text
          const [link] = page.exec(printed) ?? []
          if (link === undefined) return
          printed = ''
          const ended = await issuer.logIn(link, 'ada')
          if (ended.pathname === '/callback') await fetch(ended)
        }
        child.stdout!.on('data', read)
        child.stderr!.on('data', read)
      },
    })
  return { ...opened, issuer, mail, write, config, add }
}

const authorizePage = /http:\S+\/auth\?\S+(?=\n)/

test('--device logs in on another device, and waits until that is done', async () => {
  const { run, config, add, issuer } = await setUp()
  const added = await add(['--device'], /http:\S+\/device\?user_code=\S+(?=\n)/)
  expect(added).toMatchObject({ code: 0, stdout: expect.stringContaining('✓ Connected to mail.') })
  expect(added.stderr).toMatch(/Enter the code: [A-Z]{4}-[A-Z]{4}\n/)
  expect((await run(['call', 'mail.whoami', ...config])).stdout).toContain('You are ada.')
  expect(issuer.count('urn:ietf:params:oauth:grant-type:device_code')).toBe(1)
}, 30_000)

test('--device ends with Ctrl-C, and says so where the issuer has none', async () => {
  const { run, config } = await setUp()
  const stopped = await run(['connections', 'add', 'mail', '--device', ...config], {
    alone: true,
    async during(child) {
      child.stderr!.on('data', (text) => /Waiting/.test(String(text)) && child.kill('SIGINT'))
      await once(child, 'exit')
    },
  })
  expect(stopped.code).not.toBe(0)
  expect((await run(['connections', 'list', '--json', ...config])).stdout).toBe('[]\n')
  const without = await setUp({ configuration: { features: { deviceFlow: { enabled: false } } } })
  expect(await without.run(['connections', 'add', 'mail', '--device', ...without.config])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('offers no login on another device'),
  })
})

test('--scope asks for what a call lacked, and leaves the config as it is', async () => {
  const { run, config, add, folder } = await setUp()
  await add(['--print'], authorizePage)
  const lacking = await run(['call', 'mail.drafts', ...config])
  expect(lacking.stdout + lacking.stderr).toContain('toolpact connections add mail --scope write')
  const before = readFileSync(join(folder, 'toolpact.json'), 'utf8')
  const added = await add(['--print', '--scope', 'write'], authorizePage)
  expect(added.stderr).toMatch(/, for: .*\bwrite\b/)
  expect((await run(['call', 'mail.drafts', ...config])).stdout).toContain('Drafts of ada.')
  expect(readFileSync(join(folder, 'toolpact.json'), 'utf8')).toBe(before)
})

describe('rekey', () => {
  const readKey = (folder: string) => readFileSync(join(folder, 'state/vault.key'), 'utf8')

  test('replaces the key in the state directory, and every connection still works', async () => {
    const { run, config, add, folder } = await setUp()
    await add(['--print'], authorizePage)
    const before = readKey(folder)
    const rekeyed = await run(['connections', 'rekey', ...config])
    expect(rekeyed).toMatchObject({ code: 0, stdout: '✓ Encrypted 1 of 1 connections with the newest key.\n' })
    expect(readKey(folder)).not.toBe(before)
    expect(readdirSync(join(folder, 'state')).filter((name) => name.startsWith('vault.key'))).toEqual(['vault.key'])
    expect((await run(['call', 'mail.whoami', ...config])).stdout).toContain('You are ada.')
  })

  test('a rotation that was killed is finished by the next one, at every step', async () => {
    const { run, config, add, folder } = await setUp()
    await add(['--print'], authorizePage)
    const key = readKey(folder)
    const state = (name: string) => join(folder, 'state', name)
    // Killed after the first step: the key has another name, and is not replaced yet.
    writeFileSync(state('vault.key.former'), key, { mode: 0o600 })
    expect((await run(['connections', 'test', 'mail', ...config])).code).toBe(0)
    expect(JSON.parse((await run(['connections', 'rekey', '--json', ...config])).stdout)).toEqual({ rekeyed: 1, current: 0, lost: [] }) // biome-ignore format: one line
    // Killed after the second: the new key is there, and nothing is encrypted with it.
    const second = readKey(folder)
    expect(second).not.toBe(key)
    writeFileSync(state('vault.key.former'), second, { mode: 0o600 })
    writeFileSync(state('vault.key'), `${Buffer.alloc(32, 7).toString('base64')}\n`, { mode: 0o600 })
    expect(JSON.parse((await run(['connections', 'rekey', '--json', ...config])).stdout)).toEqual({ rekeyed: 1, current: 0, lost: [] }) // biome-ignore format: one line
    // Without the command, what is used is encrypted again.
    writeFileSync(state('vault.key.former'), readKey(folder), { mode: 0o600 })
    writeFileSync(state('vault.key'), `${Buffer.alloc(32, 8).toString('base64')}\n`, { mode: 0o600 })
    expect((await run(['connections', 'test', 'mail', ...config])).code).toBe(0)
    expect(JSON.parse((await run(['connections', 'rekey', '--json', ...config])).stdout)).toEqual({ rekeyed: 0, current: 1, lost: [] }) // biome-ignore format: one line
    expect(readKey(folder)).toBe(`${Buffer.alloc(32, 8).toString('base64')}\n`)
    expect((await run(['call', 'mail.whoami', ...config])).stdout).toContain('You are ada.')
  })

  test('encrypts with a configured key what a former one encrypted, and names what no key opens', async () => {
    const { run, config, add, folder, write } = await setUp()
    for (const [name, byte] of [['one', 1], ['two', 2]] as const) writeFileSync(join(folder, name), Buffer.alloc(32, byte).toString('base64'), { mode: 0o600 }) // biome-ignore format: one line
    write({ vault: { keyFile: 'one' } })
    await add(['--print'], authorizePage)
    write({ vault: { keyFile: 'two' } })
    expect(await run(['connections', 'rekey', ...config])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('No known key decrypts the connection of local to mail'),
    })
    write({ vault: { keyFile: 'two', formerKeyFiles: ['one'] } })
    expect((await run(['connections', 'rekey', ...config])).stdout).toContain('Encrypted 1 of 1')
    write({ vault: { keyFile: 'two' } })
    expect((await run(['call', 'mail.whoami', ...config])).stdout).toContain('You are ada.')
    expect((await run(['connections', 'rekey', 'mail', ...config])).code).toBe(2)
  })
})
