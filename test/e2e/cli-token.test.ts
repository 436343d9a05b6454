import { chmodSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { openCommandFolder } from '../helpers/run-command.ts'

const folders: { close(): void }[] = []
afterAll(() => {
  for (const folder of folders) folder.close()
})

function open() {
  const opened = openCommandFolder()
  folders.push(opened)
  return {
    ...opened,
    list: async () => JSON.parse((await opened.run(['token', 'list', '--json'])).stdout),
  }
}

test.concurrent('token prints a new token and nothing else on stdout, once', async () => {
  const { run, folder } = open()
  const first = await run(['token'])
  expect(first.code).toBe(0)
  expect(first.stdout).toMatch(/^toolpact_[\w-]{43}\n$/)
  expect(first.stderr).toContain('Created a token for the caller local. It is shown this once')
  const again = await run(['token'])
  expect(again).toMatchObject({ code: 2, stdout: '' })
  expect(again.stderr).toContain('toolpact token create local')
  expect(again.stderr).toContain('toolpact token rotate local')
  expect(readFileSync(join(folder, 'state/tokens.json'), 'utf8')).not.toContain(first.stdout.trim())
  if (process.platform !== 'win32') expect(statSync(join(folder, 'state/tokens.json')).mode & 0o777).toBe(0o600)
})

test.concurrent('tokens are created with a scope and an end, and listed without themselves', async () => {
  const { run, list } = open()
  const args = ['token', 'create', 'ci', '--expires', '90d', '--toolsets', 'files,github', '--read-only', '--json']
  const { token, ...made } = JSON.parse((await run(args)).stdout)
  expect(token).toMatch(/^toolpact_[\w-]{43}$/)
  expect(made).toMatchObject({ caller: 'ci', prefix: token.slice(0, 13), toolsets: ['files', 'github'], read_only: true, expired: false, last_used_at: null }) // biome-ignore format: one line
  expect(Math.round((Date.parse(made.expires_at) - Date.now()) / 86_400_000)).toBe(90)
  await run(['token', 'create', 'ci', '--label', 'nightly build'])
  expect(await list()).toMatchObject([made, { caller: 'ci', toolsets: null, read_only: false, label: 'nightly build' }])
  const shown = (await run(['token', 'list'])).stdout
  expect(shown).toMatch(/^CALLER +ID +/)
  expect(shown).toMatch(new RegExp(`ci +${made.id} .*never .*files, github, read only\n`))
  expect(shown).toContain('all tools (nightly build)')
  expect(shown).not.toContain(token)
})

test.concurrent('one token is revoked by its id, all of a caller by its name', async () => {
  const { run, list } = open()
  for (const name of ['ci', 'ci', 'ada']) await run(['token', 'create', name])
  const [first] = await list()
  expect(await run(['token', 'revoke', first.id])).toMatchObject({ code: 0, stdout: `Revoked the token ${first.id} of ci. Requests with it are refused from now on.\n` }) // biome-ignore format: one line
  expect(await list()).toMatchObject([{ caller: 'ci' }, { caller: 'ada' }])
  await run(['token', 'create', 'ci'])
  const { stdout } = await run(['token', 'remove', 'ci', '--json'])
  expect(JSON.parse(stdout)).toMatchObject({ caller: 'ci', revoked: [expect.any(String), expect.any(String)] })
  expect(await list()).toMatchObject([{ caller: 'ada' }])
})

test.concurrent('rotate keeps the scope, and with --overlap the old token for a while', async () => {
  const { run, list } = open()
  await run(['token', 'create', 'ci', '--read-only'])
  const rotated = await run(['token', 'rotate', 'ci', '--overlap', '1h'])
  expect(rotated.stderr).toMatch(/The old token of ci works until \d{4}-\d\d-\d\d \d\d:\d\d\./)
  const [old, now] = await list()
  expect(Math.round((Date.parse(old.expires_at) - Date.now()) / 60_000)).toBe(60)
  expect(now).toMatchObject({ caller: 'ci', read_only: true, expires_at: null })
  expect((await run(['token', 'rotate', 'ci'])).stderr).toContain('The old token of ci no longer works.')
  expect(await list()).toMatchObject([{ caller: 'ci', read_only: true }])
  await run(['token', 'create', 'ci'])
  const unclear = await run(['token', 'rotate', 'ci'])
  expect(unclear).toMatchObject({ code: 2, stderr: expect.stringContaining('have different scopes') })
  const [narrow] = await list()
  await run(['token', 'rotate', narrow.id])
  expect(await list()).toMatchObject([{ read_only: false }, { read_only: true }])
})

test.concurrent('rotate without a name is about the local caller, and creates its token if it has none', async () => {
  const { run } = open()
  const first = (await run(['token', 'rotate'])).stdout
  expect(first).toMatch(/^toolpact_/)
  expect((await run(['token', 'rotate'])).stdout).not.toBe(first)
})

test.concurrent('many processes that create and replace at once lose nothing', async () => {
  const { run, list } = open()
  const work = async (name: string) => {
    await run(['token', 'create', name], { alone: true })
    await run(['token', 'rotate', name], { alone: true })
  }
  await Promise.all(Array.from({ length: 8 }, (_, index) => work(`c${index}`)))
  expect((await list()).map(({ caller }: { caller: string }) => caller).sort()).toEqual(
    Array.from({ length: 8 }, (_, index) => `c${index}`),
  )
})

test.concurrent.each([
  [['token', 'a b'], "A caller cannot be named 'a b'."],
  [['token', 'create', '../x'], "A caller cannot be named '../x'."],
  [['token', 'cli'], 'the name is reserved'],
  [['token', 'create', 'Agent'], 'the name is reserved'],
  [['token', 'create', 'console'], 'the name is reserved'],
  [['token', 'create', 'list'], 'the name is reserved'],
  [['token', 'LOCAL'], 'the name is reserved'],
  [['token', '-x'], 'There is no option -x.'],
  [['token', 'create'], 'token create needs the name of a caller.'],
  [['token', 'create', 'ci', '--expires', 'soon'], "--expires cannot be 'soon'."],
  [['token', 'create', 'ci', '--expires', '2001-01-01'], 'is in the past'],
  [['token', 'create', 'ci', '--toolsets', 'a,,b'], "--toolsets cannot contain ''."],
  [['token', 'create', 'ci', '--toolsets', '*'], "--toolsets cannot contain '*'."],
  [['token', 'create', 'ci', '--label', '\u001b[31m'], '--label can have letters'],
  [['token', 'rotate', 'someone'], "There is no token of 'someone'."],
  [['token', 'revoke', 'someone'], "There is no token of 'someone'."],
  [['token', 'revoke', 'console'], "There is no token of 'console'."],
  [['token', 'revoke'], 'token revoke needs the name of a caller or the id of a token.'],
  [['token', 'ci', 'more'], "token takes one name, but also got 'more'."],
  [['token', 'list', 'more'], "token list takes no name, but got 'more'."],
  [['token', 'link', 'more'], "token link takes no name, but got 'more'."],
])('wrong usage is told: %j', async (args, words) => {
  const { run } = open()
  const { code, stdout, stderr } = await run(args)
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  expect(stderr).toContain(words)
})

test.concurrent('--overlap that is no duration is told', async () => {
  const { run } = open()
  await run(['token', 'create', 'ci'])
  expect((await run(['token', 'rotate', 'ci', '--overlap', '2030-01-01'])).stderr).toContain('--overlap cannot be')
})

test.concurrent('tokens of an older version are listed, and the console is not among them', async () => {
  const { folder, list } = open()
  mkdirSync(join(folder, 'state'), { recursive: true, mode: 0o700 })
  const toOld = (caller: string, letter: string) => ({ caller, token: `toolpact_${letter.repeat(43)}`, createdAt: '2026-01-01T00:00:00.000Z' }) // biome-ignore format: one line
  const text = JSON.stringify({ version: 1, tokens: [toOld('console', 'a'), toOld('ci', 'b')] })
  writeFileSync(join(folder, 'state/tokens.json'), text, { mode: 0o600 })
  expect(await list()).toMatchObject([{ caller: 'ci', prefix: 'toolpact_bbbb', expires_at: null }])
})

test.skipIf(process.platform === 'win32')(
  'tokens that others may read are not used, and the reason is told',
  async () => {
    const { run, folder } = open()
    await run(['token'])
    chmodSync(join(folder, 'state/tokens.json'), 0o644)
    const { code, stdout, stderr } = await run(['token', 'list'])
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toContain('may be read by others (mode 644)')
  },
)
