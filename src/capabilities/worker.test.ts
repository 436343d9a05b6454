import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { afterAll, expect, test } from 'vitest'
import { openWorkerTask, type WorkerLimits } from './worker.ts'

const folder = mkdtempSync(join(tmpdir(), 'toolpact-worker-'))
const { signal } = new AbortController()
const toolError = new URL('../contract/tool-error.ts', import.meta.url).href

afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** A task whose `run` has this body. */
function open(body: string, limits?: WorkerLimits) {
  const path = join(folder, `${crypto.randomUUID()}.mjs`)
  writeFileSync(path, `import { ToolError } from '${toolError}'\nexport async function run(input) { ${body} }`)
  return openWorkerTask<unknown, unknown>(pathToFileURL(path), limits)
}

test('returns what the function returns, in another thread', async () => {
  const task = open("return { input, thread: (await import('node:worker_threads')).threadId }")
  const first = await task.run({ bytes: new Uint8Array([1, 2]) }, { signal })
  expect(first).toEqual({ input: { bytes: new Uint8Array([1, 2]) }, thread: expect.any(Number) })
  expect((first as { thread: number }).thread).toBeGreaterThan(0)
})

test('this thread continues while the other one is busy', async () => {
  const busy = open('for (const end = Date.now() + 500; Date.now() < end; );').run({}, { signal })
  let turns = 0
  const counter = setInterval(() => turns++, 10)
  await busy
  clearInterval(counter)
  expect(turns).toBeGreaterThan(5)
})

test('an error of the tool has its code and suggestion, another one is not hidden', async () => {
  const task = open(
    "if (input) throw new ToolError('parse_failed', 'No text.', { suggestion: 'Try.' })\nthrow new TypeError('odd')",
  )
  await expect(task.run(true, { signal })).rejects.toMatchObject({ name: 'ToolError', code: 'parse_failed', message: 'No text.', suggestion: 'Try.' }) // biome-ignore format: one line
  await expect(task.run(false, { signal })).rejects.toThrow('odd')
})

test.each<[what: string, body: string, limits: WorkerLimits, message: RegExp]>([
  ['time', 'for (;;);', { timeoutMs: 300 }, /took too long/],
  ['an exit', 'process.exit()', {}, /ended unexpectedly/],
])('%s ends the thread, and the failure says why', async (_, body, limits, message) => {
  await expect(open(body, { ...limits, code: 'fetch_failed' }).run({}, { signal })).rejects.toMatchObject({
    code: 'fetch_failed',
    message: expect.stringMatching(message),
  })
})

test('cancelling ends the thread, in the queue and while it runs', async () => {
  const task = open('for (;;);')
  const [running, waiting] = [new AbortController(), new AbortController()]
  const first = task.run({}, { signal: running.signal })
  const second = task.run({}, { signal: waiting.signal })
  await delay(100)
  waiting.abort(new Error('no longer wanted'))
  await expect(second).rejects.toThrow('no longer wanted')
  running.abort(new Error('stop'))
  await expect(first).rejects.toThrow('stop')
  await expect(task.run({}, { signal: running.signal })).rejects.toThrow('stop')
})

test('one run at a time, callers take turns, and a full queue is an error', async () => {
  const task = open('await new Promise((resolve) => setTimeout(resolve, input.ms)); return Date.now()')
  const run = (caller: string, ms = 20) => task.run({ ms }, { signal, caller }) as Promise<number>
  const ends: string[] = []
  const add = (caller: string) => run(caller).then(() => ends.push(caller))
  const first = run('a', 200)
  const others = [add('a'), add('a'), add('b')]
  await Promise.all([first, ...others])
  expect(ends).toEqual(['b', 'a', 'a'])
  const many = Array.from({ length: 10 }, () => run('a'))
  const settled = await Promise.allSettled(many)
  expect(settled.filter(({ status }) => status === 'rejected')).toHaveLength(1)
  expect(settled.at(-1)).toMatchObject({ reason: { code: 'parse_failed', suggestion: 'Call again in a few seconds.' } })
})

test('a run that waits too long fails', async () => {
  const task = open('await new Promise((resolve) => setTimeout(resolve, 500))', { waitMs: 50 })
  const first = task.run({}, { signal })
  await expect(task.run({}, { signal })).rejects.toThrow('other large pages are still in the queue')
  await first
})
