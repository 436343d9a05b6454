import { chmodSync, readFileSync, statSync } from 'node:fs'
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
  return opened
}

test.concurrent('token prints a token and nothing else on stdout, the same each time', async () => {
  const { run, folder } = open()
  const first = await run(['token'])
  expect(first.code).toBe(0)
  expect(first.stdout).toMatch(/^toolpact_[\w-]{43}\n$/)
  expect(first.stderr).toContain('Created a token for the caller local in ')
  expect(await run(['token'])).toEqual({ code: 0, stdout: first.stdout, stderr: '' })
  if (process.platform !== 'win32') expect(statSync(join(folder, 'state/tokens.json')).mode & 0o777).toBe(0o600)
})

test.concurrent('many that ask at once get the same token', async () => {
  const { run } = open()
  const printed = await Promise.all(
    Array.from({ length: 5 }, async () => (await run(['token'], { alone: true })).stdout),
  )
  expect(new Set(printed).size).toBe(1)
})

test.concurrent('callers are made, listed without their tokens, rotated and removed', async () => {
  const { run } = open()
  const { token, ...made } = JSON.parse((await run(['token', 'ci', '--json'])).stdout)
  expect(made).toEqual({ caller: 'ci', created_at: expect.stringMatching(/Z$/) })
  await run(['token'])
  const list = await run(['token', 'list'])
  expect(list.stdout).toMatch(/^ci +created \d{4}-\d{2}-\d{2}\nlocal +created/)
  expect(list.stdout).not.toContain('toolpact_')
  expect(JSON.parse((await run(['token', 'list', '--json'])).stdout)).toMatchObject([
    { caller: 'ci' },
    { caller: 'local' },
  ])
  const rotated = await run(['token', 'rotate', 'ci'])
  expect(rotated.stdout.trim()).not.toBe(token)
  expect(rotated.stderr).toContain('The old token of ci no longer works.')
  expect((await run(['token', 'ci'])).stdout).toBe(rotated.stdout)
  expect((await run(['token', 'remove', 'ci'])).code).toBe(0)
  expect(JSON.parse((await run(['token', 'list', '--json'])).stdout)).toMatchObject([{ caller: 'local' }])
})

test.concurrent('rotate without a name is about the local caller, and creates its token if it has none', async () => {
  const { run } = open()
  const first = (await run(['token', 'rotate'])).stdout
  expect(first).toMatch(/^toolpact_/)
  expect((await run(['token', 'rotate'])).stdout).not.toBe(first)
})

test.concurrent.each([
  [['token', 'a b'], "A caller cannot be named 'a b'."],
  [['token', 'cli'], 'the name is reserved'],
  [['token', 'Agent'], 'the name is reserved'],
  [['token', 'LOCAL'], 'the name is reserved'],
  [['token', '-x'], 'There is no option -x.'],
  [['token', 'rotate', 'someone'], "There is no caller 'someone'."],
  [['token', 'remove', 'someone'], "There is no caller 'someone'."],
  [['token', 'remove'], 'token remove needs the name of a caller.'],
  [['token', 'ci', 'more'], "token takes one name, but also got 'more'."],
  [['token', 'list', 'more'], "token list takes no name, but got 'more'."],
])('wrong usage is told: %j', async (args, words) => {
  const { run } = open()
  const { code, stdout, stderr } = await run(args)
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  expect(stderr).toContain(words)
})

test.skipIf(process.platform === 'win32')(
  'tokens that others may read are not shown, and the reason is told',
  async () => {
    const { run, folder } = open()
    const token = (await run(['token'])).stdout.trim()
    const file = join(folder, 'state/tokens.json')
    chmodSync(file, 0o644)
    const { code, stdout, stderr } = await run(['token'])
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toContain('may be read by others (mode 644)')
    expect(readFileSync(file, 'utf8')).toContain(token)
  },
)
