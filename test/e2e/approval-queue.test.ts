import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test, vi } from 'vitest'
import { openSqliteStorage } from '../../src/runtime/storage/sqlite/sqlite.ts'
import { type Ended, entries, openCommandFolder, type RunOptions } from '../helpers/run-command.ts'

const user = userInfo().username

const closing: (() => void)[] = []
afterAll(() => {
  for (const close of closing.reverse()) close()
})

test.concurrent('a call without a terminal waits until somebody approves it; the ledger says who and how', async () => {
  const { folder, run, callAndWait } = open()
  const { id, ended, told } = await callAndWait([
    'workspace.create_file',
    'path=hello.py',
    'content=print("hello world")',
  ])
  expect(told()).toContain('Waiting up to 60 s for approval of workspace.create_file.')
  expect(told()).toContain(`toolpact approvals approve ${id}`)
  expect(told()).toContain(`toolpact approvals deny ${id}`)
  expect(existsSync(join(folder, 'hello.py'))).toBe(false)

  const { stdout: list } = await run(['approvals', 'list'])
  expect(list).toMatch(new RegExp(`^${id} +workspace\\.create_file +safe_write +by cli +\\d+ s left +hello\\.py\\n$`))
  const { stdout: shown } = await run(['approvals', 'show', id])
  expect(shown).toMatch(
    /^Tool: create_file\nParameters:\n {2}path: hello\.py\n {2}content: <20 bytes>\nFiles affected: hello\.py\nRisk level: safe_write\n/,
  )
  expect(shown).toContain('Parameter content <20 bytes>\n    print("hello world")\n')
  expect(shown).toContain('  + print("hello world")')

  const approved = await run(['approvals', 'approve', id])
  expect(approved).toMatchObject({ code: 0, stderr: '' })
  expect(approved.stdout).toContain(`Approved: ${id} runs now.`)
  expect(await ended).toMatchObject({ code: 0, stdout: expect.stringContaining('Created file: hello.py (20 bytes)') })
  expect(readFileSync(join(folder, 'hello.py'), 'utf8')).toBe('print("hello world")')

  const { stdout: ledger } = await run(['ledger', 'show', id, '--json'])
  const { callId, approval } = JSON.parse(ledger)
  expect(approval).toEqual({ answer: 'yes', by: user, via: 'queue', id: callId, waitedMs: expect.any(Number) })
  expect((await run(['ledger', 'show', id])).stdout).toContain(`yes, by ${user} (queue)`)
})

test.concurrent('a call that is denied does not run, and the caller learns by whom', async () => {
  const { folder, run, callAndWait } = open()
  const { id, ended } = await callAndWait(['workspace.create_file', 'path=a.txt', 'content=x', '--json'])
  expect((await run(['approvals', 'deny', id])).stdout).toContain(`Denied: ${id} does not run.`)
  const { code, stdout } = await ended
  expect(code).toBe(3)
  expect(JSON.parse(stdout).error).toMatchObject({ code: 'approval_denied', message: expect.stringContaining(user) })
  expect(existsSync(join(folder, 'a.txt'))).toBe(false)
  const { stdout: ledger } = await run(['ledger', 'show', id, '--json'])
  expect(JSON.parse(ledger)).toMatchObject({ state: 'refused', approval: { answer: 'no', by: user, via: 'queue' } })
})

test.concurrent('an unanswered call is refused at the timeout, and cannot be approved afterwards', async () => {
  const { folder, run, callAndWait } = open()
  const { id, ended, told } = await callAndWait(['workspace.create_file', 'path=a.txt', 'content=x', '--wait', '1', '--json']) // biome-ignore format: one line
  expect(told()).toContain('Waiting up to 1 s')
  const { code, stdout } = await ended
  expect(code).toBe(3)
  expect(JSON.parse(stdout).error.code).toBe('approval_timeout')
  const late = await run(['approvals', 'approve', id])
  expect(late).toMatchObject({ code: 1, stdout: '' })
  expect(late.stderr).toContain(`${id} is no longer pending`)
  expect(existsSync(join(folder, 'a.txt'))).toBe(false)
  expect((await run(['approvals', '--json'])).stdout).toBe('[]\n')
})

test.concurrent('--no-wait refuses at once, and says what to do', async () => {
  const { run } = open()
  const { code, stderr } = await run(['call', 'workspace.create_file', 'path=a.txt', 'content=x', '--no-wait'])
  expect(code).toBe(3)
  expect(stderr).toContain('Code: approval_denied')
  expect(stderr).toMatch(/toolpact approvals.*--yes/)
  expect((await run(['approvals'])).stderr).toBe('No calls are waiting for approval.\n')
})

test.concurrent('of two answers, one decides and the other is reported as late', async () => {
  const { run, callAndWait } = open()
  const { id, ended } = await callAndWait(['workspace.create_file', 'path=a.txt', 'content=x'])
  const answers = await Promise.all(['approve', 'deny'].map((verb) => run(['approvals', verb, id], { alone: true })))
  const [winner, loser] = answers[0]!.code === 0 ? answers : answers.toReversed()
  expect(winner).toMatchObject({ code: 0, stderr: '' })
  expect(loser).toMatchObject({ code: 1, stdout: '' })
  const verdict = winner === answers[0] ? 'approved' : 'denied'
  expect(loser!.stderr).toContain(`${id} was ${verdict} already, by ${user}.`)
  expect((await ended).code).toBe(verdict === 'approved' ? 0 : 3)
  expect((await run(['approvals', 'approve', id])).stderr).toContain('already')
})

test.concurrent('an approval is for one call: another input, or the same again, waits anew', async () => {
  const { run, callAndWait } = open()
  const first = await callAndWait(['workspace.create_directory', 'path=a'])
  const second = await callAndWait(['workspace.create_directory', 'path=b'], { wait: '2' })
  await run(['approvals', 'approve', first.id])
  expect((await first.ended).code).toBe(0)
  expect((await second.ended).code).toBe(3)
  const again = await callAndWait(['workspace.create_directory', 'path=a'], { wait: '1' })
  expect(again.id).not.toBe(first.id)
  expect((await again.ended).code).toBe(3)
})

test.concurrent('a call whose process dies leaves a question that soon cannot be answered', async () => {
  const { run, callAndWait } = open()
  const { id, ended, child } = await callAndWait(['workspace.create_file', 'path=a.txt', 'content=x', '--wait', '600'])
  child.kill('SIGKILL')
  await ended
  const answer = async () => (await run(['approvals', 'show', id])).stderr
  const isOver = async () => (await answer()).includes(`${id} is no longer pending`)
  await vi.waitUntil(isOver, { timeout: 100_000, interval: 1000 })
  expect((await run(['approvals', 'approve', id])).code).toBe(1)
})

// Windows cannot send another process a signal that it may handle.
test.skipIf(process.platform === 'win32')('a call that is cancelled takes its question back at once', async () => {
  const { run, callAndWait } = open()
  const { id, ended, child } = await callAndWait(['workspace.create_file', 'path=a.txt', 'content=x'])
  child.kill('SIGINT')
  expect((await ended).code).toBe(130)
  expect((await run(['approvals', 'approve', id])).stderr).toContain(`${id} is no longer pending`)
})

test.concurrent('pending calls cannot inject escape sequences into the terminal', async () => {
  const { folder, run, callAndWait } = open()
  const path = 'a\x1b[2J\u202e\rb'
  writeFileSync(join(folder, 'input.json'), JSON.stringify({ path, content: `\x1b[2J\nRisk level: read_only\n` }))
  const { id } = await callAndWait(['workspace.create_file', '--input', '@input.json'])
  for (const args of [['list'], ['show', id], ['list', '--json'], ['show', id, '--json'], ['deny', id]]) {
    const { stdout, stderr } = await run(['approvals', ...args])
    expect(stdout + stderr).toMatch(/\\x1b\[2J|\\u001b\[2J/)
    expect(stdout + stderr).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]/)
    expect(stdout).not.toMatch(/^Risk level: read_only/m)
  }
})

test.concurrent('--json lists what waits, for a script', async () => {
  const { folder, run, callAndWait } = open()
  const { id } = await callAndWait(['workspace.create_file', 'path=a.txt', 'content=x'])
  const [waiting] = JSON.parse((await run(['approvals', '--json'])).stdout)
  expect(waiting).toMatchObject({
    id: expect.stringContaining(id),
    tool: 'workspace.create_file',
    risk: 'safe_write',
    caller: { name: 'cli' },
    workspace: folder,
    target: 'a.txt',
    bytes: expect.any(Number),
  })
  expect(waiting).not.toHaveProperty('input')
  expect(JSON.parse((await run(['approvals', 'show', id, '--json'])).stdout)).toMatchObject({
    id: waiting.id,
    input: { path: 'a.txt', content: 'x' },
    foreseen: { changes: [{ path: 'a.txt', kind: 'new' }] },
  })
  const { stdout } = await run(['approvals', 'deny', id, '--json'])
  expect(JSON.parse(stdout)).toMatchObject({ id: waiting.id, answer: 'no' })
})

test.concurrent('several calls are answered at once, and a mistyped id answers none', async () => {
  const { folder, run, callAndWait } = open()
  const calls = [await callAndWait(['workspace.create_directory', 'path=a']), await callAndWait(['workspace.create_directory', 'path=b'])] // biome-ignore format: one line
  const ids = calls.map(({ id }) => id)
  expect(await run(['approvals', 'approve', ...ids, 'zzz'])).toMatchObject({ code: 2, stdout: '' })
  const approved = await run(['approvals', 'approve', ...ids])
  expect(approved).toMatchObject({ code: 0, stderr: '' })
  for (const { id, ended } of calls) {
    expect(approved.stdout).toContain(`Approved: ${id} runs now.`)
    expect((await ended).code).toBe(0)
  }
  expect(existsSync(join(folder, 'b'))).toBe(true)
})

test.concurrent('every call of a caller is answered after it was listed; to approve them without a terminal needs --yes', async () => {
  const { folder, run, callAndWait } = open()
  const calls = [await callAndWait(['workspace.create_directory', 'path=a']), await callAndWait(['workspace.create_directory', 'path=b'])] // biome-ignore format: one line
  expect((await run(['approvals', 'deny', '--all-from', 'other'])).stderr).toContain('No calls of other are waiting')
  const asked = await run(['approvals', 'approve', '--all-from', 'cli'])
  expect(asked).toMatchObject({ code: 2, stderr: expect.stringContaining('Name the ids, or add --yes.') })
  for (const { id } of calls) expect(asked.stdout).toContain(id)
  const denied = await run(['approvals', 'deny', '--all-from', 'cli'])
  expect(denied.stdout).toContain('Denied: 2 of 2.')
  for (const { ended } of calls) expect((await ended).code).toBe(3)
  const again = await callAndWait(['workspace.create_directory', 'path=a'])
  const approved = await run(['approvals', 'approve', '--all-from', 'cli', '--yes'])
  expect(approved.stdout).toMatch(new RegExp(`${again.id} +workspace\\.create_directory[^]*Approved: 1 of 1\\.`))
  expect((await again.ended).code).toBe(0)
  expect(existsSync(join(folder, 'b'))).toBe(false)
})

test.concurrent('--for-tool answers nothing if one of the calls has no rule to save', async () => {
  const { folder, run, callAndWait } = open()
  // No rule overrides --ask all, so none is offered for that call.
  const calls = [await callAndWait(['workspace.create_directory', 'path=a']), await callAndWait(['workspace.create_directory', 'path=b', '--ask', 'all'])] // biome-ignore format: one line
  const ids = calls.map(({ id }) => id)
  const refused = await run(['approvals', 'approve', ...ids, '--for-tool'])
  expect(refused).toMatchObject({ code: 2, stdout: '' })
  expect(refused.stderr).toContain(`No rule can cover further calls like ${ids[1]}.`)
  expect(refused.stderr).toContain(`toolpact approvals approve ${ids[1]}`)
  expect(JSON.parse((await run(['approvals', '--json'])).stdout)).toHaveLength(2)
  expect((await run(['approvals', 'deny', ...ids])).code).toBe(0)
  for (const { ended } of calls) expect((await ended).code).toBe(3)
  expect(existsSync(join(folder, 'a'))).toBe(false)
})

test.concurrent('approve --all-from with --json approves nothing without --yes', async () => {
  const { run, callAndWait } = open()
  const { ended } = await callAndWait(['workspace.create_directory', 'path=a'])
  const refused = await run(['approvals', 'approve', '--all-from', 'cli', '--json'])
  expect(refused).toMatchObject({ code: 2, stdout: '' })
  expect(refused.stderr).toContain('--json cannot list the calls before approving them.')
  const approved = await run(['approvals', 'approve', '--all-from', 'cli', '--json', '--yes'])
  expect(JSON.parse(approved.stdout)).toMatchObject([{ answer: 'yes', taken: true }])
  expect((await ended).code).toBe(0)
})

test.concurrent('a clock that is set back does not break the list', async () => {
  const { run, callAndWait, stateDirectory } = open()
  const { id } = await callAndWait(['workspace.create_directory', 'path=a'])
  const storage = openSqliteStorage({ directory: stateDirectory })
  await storage.approvals.questions(Date.now() + 900_000)
  await storage.close()
  expect(await run(['approvals'])).toMatchObject({ code: 0, stderr: 'No calls are waiting for approval.\n' })
  expect((await run(['approvals', 'show', id])).stderr).toContain(`${id} is no longer pending`)
})

test.concurrent.each([
  [['approvals', 'aprove', 'x'], "approvals has no action 'aprove'."],
  [['approvals', 'approve'], 'approvals approve takes one or more ids, or --all-from CALLER.'],
  [['approvals', 'deny', 'a', '--all-from', 'cli'], 'approvals deny takes one or more ids, or --all-from CALLER.'],
  [['approvals', 'list', '--all-from', 'cli'], 'approvals list does not take --all-from.'],
  [['approvals', 'list', 'a'], 'approvals list takes no id.'],
  [['approvals', 'approve', 'abc'], "No pending call has an id that starts with 'abc'."],
  [['call', 'learning.hello', 'name=a', '--ask', 'none'], "--ask cannot be 'none'."],
  [['call', 'learning.hello', 'name=a', '--wait', 'soon'], "--wait cannot be 'soon'."],
  [['call', 'learning.hello', 'name=a', '--wait', '1', '--no-wait'], 'Give --wait or --no-wait, not both.'],
])('%j is wrong usage, and says what is right', async (args, words) => {
  const { code, stderr } = await open().run(args)
  expect(code).toBe(2)
  expect(stderr).toContain(words)
})

test.concurrent('--ask all asks for what never asks; --yes answers, and the ledger says so', async () => {
  const { run } = open()
  const hello = ['call', 'learning.hello', 'name=Ada']
  expect((await run([...hello, '--ask', 'all', '--no-wait'])).code).toBe(3)
  expect((await run([...hello, '--ask', 'all', '--yes'])).code).toBe(0)
  const { stdout } = await run(['ledger', 'show', '--json'])
  expect(JSON.parse(stdout)).toMatchObject({
    decision: { rule: 'ask-all' },
    approval: { answer: 'yes', by: user, via: '--yes' },
  })
})

test.concurrent('--read-only denies everything else, even with --yes', async () => {
  const { run } = open()
  expect((await run(['--read-only', 'call', 'learning.hello', 'name=Ada'])).code).toBe(0)
  const { code, stderr } = await run(['--read-only', 'call', 'workspace.create_directory', 'path=a', '--yes'])
  expect(code).toBe(3)
  expect(stderr).toContain('Code: denied')
  expect(stderr).toContain('toolpact rules')
  expect(stderr).not.toContain('operator')
})

interface Waiting {
  readonly id: string
  readonly child: ChildProcess
  readonly ended: Promise<Ended>
  /** What the call has said on stderr so far. */
  readonly told: () => string
}

function open() {
  const { folder, env, run, close } = openCommandFolder()
  closing.push(close)

  /** Calls without a terminal, and comes back once the call waits. */
  async function callAndWait(args: readonly string[], { wait }: { wait?: string } = {}): Promise<Waiting> {
    let [stdout, stderr] = ['', '']
    const more = wait === undefined ? [] : ['--wait', wait]
    const child = spawn(process.execPath, [entries.toolpact, 'call', ...args, ...more], {
      cwd: folder,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    closing.push(() => child.kill('SIGKILL'))
    const ended = new Promise<Ended>((resolve) => child.on('close', (code) => resolve({ code, stdout, stderr })))
    child.stdout.setEncoding('utf8').on('data', (text) => {
      stdout += text
    })
    child.stderr.setEncoding('utf8').on('data', (text) => {
      stderr += text
    })
    const idOf = () => /approvals deny ([0-9a-f]{8})/.exec(stderr)?.[1]
    const id = await vi.waitUntil(idOf, { timeout: 100_000 })
    return { id, child, ended, told: () => stderr }
  }

  const stateDirectory = String(env.TOOLPACT_STATE_DIR)
  return {
    folder,
    stateDirectory,
    callAndWait,
    run: (args: readonly string[], options?: RunOptions) => run(args, options),
  }
}
