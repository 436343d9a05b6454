import { writeFileSync } from 'node:fs'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openSqliteStorage } from '../../src/runtime/storage/sqlite/sqlite.ts'
import type { IntentRecord } from '../../src/runtime/storage/storage.ts'
import { define, makeChangeling } from '../helpers/open-changeling.ts'
import { openCommandFolder } from '../helpers/run-command.ts'

const { folder, run, close } = openCommandFolder()
afterAll(close)

beforeAll(async () => {
  await run(['call', 'learning.hello', 'name=Ada'])
  await run(['call', 'learning.hello'])
  await run(['call', 'odd.write', 'path=\u001b[31mred', '--yes'], { entry: 'odd' })
  await run(['call', 'odd.crash'], { entry: 'odd' })
})

test('ledger shows the calls in order, with who called and what became of it', async () => {
  const { code, stdout, stderr } = await run(['ledger'])
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  const start = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d {2}[0-9a-f]{8} {2}/.source
  const lines = [
    'learning.hello {2}cli {2}succeeded +[\\d.]+ ms',
    'learning.hello {2}cli {2}refused: invalid_input {2}[\\d.]+ ms',
    'odd.write {7}cli {2}succeeded +[\\d.]+ ms +yes, by .+ \\(--yes\\)',
    'odd.crash {7}cli {2}failed: internal +[\\d.]+ ms',
    '',
  ]
  expect(stdout.split('\n')).toEqual(
    lines.map((line) => expect.stringMatching(new RegExp(line ? `${start}${line}$` : '^$'))),
  )
})

test('ledger --json gives one call to a line', async () => {
  const { stdout } = await run(['ledger', '--json'])
  const calls = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(calls.map(({ tool, state, errorCode }) => [tool, state, errorCode])).toEqual([
    ['learning.hello', 'succeeded', null],
    ['learning.hello', 'refused', 'invalid_input'],
    ['odd.write', 'succeeded', null],
    ['odd.crash', 'failed', 'internal'],
  ])
  expect(calls[2].approval).toEqual({ answer: 'yes', by: userInfo().username, via: '--yes' })
  expect(calls[3].violation).toBe('threw')
})

test.each([
  [['--tool', 'learning.hello'], 2],
  [['--tool', 'write'], 0],
  [['--tool', 'odd.write'], 1],
  [['--limit', '3'], 3],
  [['--limit', '1', '--tool', 'learning.hello'], 1],
  [['--since', '1h'], 4],
  [['--since', '2999-01-01'], 0],
])('ledger %j narrows the calls', async (flags, count) => {
  const { code, stdout } = await run(['ledger', '--json', ...flags])
  expect(code).toBe(0)
  expect(stdout.split('\n').length - 1).toBe(count)
})

test('a ledger in which nothing matches says so on stderr', async () => {
  expect(await run(['ledger', '--since', '2999-01-01'])).toEqual({
    code: 0,
    stdout: '',
    stderr: 'No matching calls are recorded.\n',
  })
})

test.each([
  [['ledger', '--limit', '0'], '--limit needs a whole number above 0'],
  [['ledger', '--since', 'yesterday'], "--since cannot be 'yesterday'."],
  [['ledger', '--tool', 'hello'], 'Use one of learning.hello, practitioner.hello.'],
  [['ledger', 'shw'], 'toolpact ledger show'],
  [['ledger', '--verify', '--follow'], '--verify does not take --follow.'],
  [['ledger', '--raw'], 'Use toolpact ledger show --raw.'],
  [['ledger', 'show', '--tool', 'a'], 'ledger show does not take --tool.'],
  [['ledger', '--toolset', 'learning'], 'Use --tool.'],
  [['ledger', 'show', 'zzz'], "No recorded call has an id that starts with 'zzz'."],
])('%j is wrong usage', async (args, words) => {
  const { code, stdout, stderr } = await run(args)
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  expect(stderr).toContain(words)
})

test('ledger show prints the story of a call by a prefix of its id', async () => {
  const [call] = (await run(['ledger', '--json', '--tool', 'odd.write'])).stdout
    .split('\n')
    .map((line) => line && JSON.parse(line))
  const { code, stdout } = await run(['ledger', 'show', call.callId.slice(0, 8)])
  expect(code).toBe(0)
  expect(stdout).toContain(`Call ${call.callId}`)
  expect(stdout).toMatch(/Who +cli\n/)
  expect(stdout).toMatch(/Contract +sha256:[0-9a-f]{64}\n/)
  expect(stdout).toMatch(/Decision +ask, by contract: /)
  expect(stdout).toMatch(/Approval +yes, by .+ \(--yes\)\n/)
  expect(stdout).toMatch(/Outcome +succeeded\n/)
  expect(stdout).toMatch(/✓ +approve +a person approved it\n/)
  expect(stdout).toMatch(/- +rate +not needed\n/)
  expect(stdout).not.toMatch(/\u001b/)
  const json = JSON.parse((await run(['ledger', 'show', call.callId, '--json'])).stdout)
  expect(json).toEqual({ ...call, contractDigest: expect.stringMatching(/^sha256:/), hasRaw: false })
})

test('ledger show without an id is about the newest call; a refusal shows what was not reached', async () => {
  expect((await run(['ledger', 'show'])).stdout).toMatch(/Violation +the tool broke its contract: threw/)
  const refused = (await run(['ledger', '--json', '--limit', '3'])).stdout.split('\n')[0]!
  const { stdout } = await run(['ledger', 'show', JSON.parse(refused).callId])
  expect(stdout).toMatch(/✗ +input +not so: the input matches the contract\n/)
  expect(stdout).toMatch(/· +run +not reached\n/)
  expect(stdout).toMatch(/Approval +not reached\n/)
})

test('ledger show --raw gives what the tool said that broke its contract, fit for a terminal', async () => {
  const story = (await run(['ledger', 'show'])).stdout
  const id = /Raw +kept for people: toolpact ledger show ([0-9a-f]{8}) --raw\n/.exec(story)?.[1]
  expect(story).not.toContain('broken')
  const { code, stdout } = await run(['ledger', 'show', id!, '--raw'])
  expect(code).toBe(0)
  expect(stdout).toMatch(/^Error: broken /)
  expect(stdout).not.toMatch(/\u001b/)
  const json = JSON.parse((await run(['ledger', 'show', id!, '--raw', '--json'])).stdout)
  expect(json).toEqual({ callId: expect.stringMatching(`^${id}`), raw: expect.stringMatching(/^Error: broken /) })
  expect(JSON.parse((await run(['ledger', 'show', '--json'])).stdout)).toMatchObject({ hasRaw: true })
})

test('what an MCP server answers against its contract is kept for people, and its caller gets nothing of it', async () => {
  const own = openCommandFolder()
  const { entry } = makeChangeling([define('violating')], {}, own.folder)
  writeFileSync(join(own.folder, 'servers.json'), JSON.stringify({ mcpServers: { server: entry } }))
  const args = ['--config', 'servers.json']
  const call = await own.run(['call', 'server.violating', 'text=a', '--json', ...args])
  expect(JSON.parse(call.stdout)).toMatchObject({ success: false, error: { code: 'invalid_output' } })
  expect(`${call.stdout}${call.stderr}`).not.toContain('raw text')
  const { stdout } = await own.run(['ledger', 'show', '--raw', ...args])
  expect(JSON.parse(stdout)).toMatchObject({
    structuredContent: { more: 1 },
    content: [{ type: 'text', text: 'raw text' }],
  })
  own.close()
})

test('ledger show --raw of a call that broke no contract says that there is nothing', async () => {
  const [call] = (await run(['ledger', '--json', '--tool', 'odd.write'])).stdout.split('\n')
  const { code, stderr } = await run(['ledger', 'show', JSON.parse(call!).callId, '--raw'])
  expect(code).toBe(2)
  expect(stderr).toContain('Nothing raw is kept of the call')
})

test('an id that several calls begin with is not enough', async () => {
  const { code, stderr } = await run(['ledger', 'show', ''])
  expect(code).toBe(2)
  expect(stderr).toMatch(/4 calls have an id that starts with ''\.\nUse a longer prefix: /)
})

test('a call whose process died is shown as interrupted', async () => {
  const own = openCommandFolder()
  const storage = openSqliteStorage({ directory: join(own.folder, 'state') })
  await storage.ledger.append(intent, { durable: true })
  await storage.close()
  expect((await own.run(['ledger'])).stdout).toContain('interrupted')
  const { stdout } = await own.run(['ledger', 'show'])
  expect(stdout).toContain('It began and no end is recorded')
  expect(stdout).toMatch(/✓ +intent /)
  expect(stdout).toMatch(/· +run +unknown\n/)
  own.close()
})

test('an empty ledger is intact, and has no newest call', async () => {
  const own = openCommandFolder()
  const { code, stdout } = await own.run(['ledger', '--verify'])
  expect(code).toBe(0)
  expect(stdout).toContain('0 entries')
  expect(await own.run(['ledger', 'show'])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('No call is recorded yet.'),
  })
  own.close()
})

test.skipIf(process.platform === 'win32')('ledger --follow shows calls as they end', async () => {
  let seen = ''
  const { code, stdout } = await run(['ledger', '--follow', '--json', '--limit', '1'], {
    during(child) {
      child.stdout!.on('data', async (text: string) => {
        const before = seen
        seen += text
        if (before === '') await run(['call', 'learning.hello', 'name=follow'])
        else if (seen.includes('follow')) child.kill('SIGINT')
      })
    },
  })
  expect(code).toBe(130)
  const calls = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(calls.map(({ tool }) => tool)).toEqual(['odd.crash', 'learning.hello'])
  expect(calls[1]).toMatchObject({ caller: { name: 'cli' }, input: { name: 'follow' }, state: 'succeeded' })
})

test('ledger --verify says that the chain is intact, or where it is broken', async () => {
  const intact = await run(['ledger', '--verify'])
  expect(intact.code).toBe(0)
  expect(intact.stdout).toMatch(/It matches \d+ checkpoints?, signed by toolpact\/ledger\//)
  expect(intact.stderr).toMatch(
    /^Note: The key that signs is in the state directory: .*\nNote: Nothing that is kept elsewhere was compared: .*\n$/,
  )
  expect(intact.stdout).toMatch(/The ledger is intact: \d+ entries, head [0-9a-f]{64}\./)
  expect(JSON.parse((await run(['ledger', '--verify', '--json'])).stdout)).toMatchObject({ intact: true })
  const database = new DatabaseSync(join(folder, 'state', 'toolpact.db'))
  database.exec(`UPDATE ledger SET text = replace(text, 'Ada', 'Eve') WHERE seq = 1`)
  database.close()
  const broken = await run(['ledger', '--verify'])
  expect(broken).toMatchObject({ code: 1, stdout: '' })
  expect(broken.stderr).toContain('The ledger is broken at entry 1')
  const json = await run(['ledger', '--verify', '--json'])
  expect(json.code).toBe(1)
  expect(JSON.parse(json.stdout)).toMatchObject({ intact: false, brokenAtSeq: 1 })
})

const intent: IntentRecord = {
  kind: 'intent',
  callId: '6f1f2a3e-6a53-4c0f-9f62-0b3f3c3f9a10',
  at: '2026-01-09T10:30:00.000Z',
  caller: { name: 'cli' },
  tool: 'learning.hello',
  contractDigest: null,
  inputDigest: null,
  input: { name: 'Ada' },
  checks: { resolve: 'passed', intent: 'failed' },
  decision: null,
  approval: null,
}
