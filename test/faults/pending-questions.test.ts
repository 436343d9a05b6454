import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { queueLimits } from '../../src/runtime/storage/storage.ts'
import { useServeFolders } from '../helpers/open-serve.ts'

const openFolder = useServeFolders()

test.each([
  ['large', { count: 30, bytes: 6_000_000 }],
  ['medium', { count: 50, bytes: 900_000 }],
])(
  '%s questions are pending up to 32 MiB for each caller; more are refused, and other callers are served',
  async (_size, { count, bytes }) => {
    const { run, ask, watch, rssMb } = await openServer()
    const quiet = await watch(async () => {
      await setTimeout(2000)
    })
    const { result: answers, ...busy } = await watch(() => ask(count, 'x'.repeat(bytes)))
    const taken = Math.min(count, Math.floor(queueLimits.caller.bytes / bytes))
    expect(answers.filter(({ code }) => code === 'approval_required')).toHaveLength(taken)
    const refused = answers.filter(({ code }) => code !== 'approval_required')
    expect(refused).toHaveLength(count - taken)
    for (const answer of refused)
      expect(answer).toMatchObject({
        status: 429,
        code: 'approval_queue_full',
        detail: expect.stringContaining('32 MiB of questions about calls of this caller may be pending'),
        suggestion: expect.stringContaining('toolpact approvals deny --all-from local'),
      })
    const listed: { bytes: number }[] = JSON.parse((await run(['approvals', '--json'])).stdout)
    expect(listed).toHaveLength(taken)
    expect(listed.reduce((sum, question) => sum + question.bytes, 0)).toBeLessThanOrEqual(queueLimits.caller.bytes)
    const pending = await watch(async () => {
      await setTimeout(2000)
    })
    // The times are printed and not compared: they depend on the machine.
    console.log(`${count} × ${bytes / 1e6} MB: ${toText({ quiet, busy, pending })}`)
    for (const { statuses } of [quiet, busy, pending]) expect(new Set(statuses)).toEqual(new Set([200]))

    // Refused calls leave nothing behind.
    const before = rssMb()
    expect(new Set((await ask(count, 'x'.repeat(bytes), 'again')).map(({ code }) => code))).toEqual(new Set(['approval_queue_full'])) // biome-ignore format: one line
    expect(rssMb() - before).toBeLessThan(512)
    expect((await run(['approvals', 'deny', '--all-from', 'local'])).stdout).toContain(`Denied: ${taken} of ${taken}.`)
    expect((await ask(1, 'x'.repeat(bytes), 'after'))[0]).toMatchObject({ code: 'approval_required' })
  },
)

test('a thousand questions of one caller are pending, listed and answered; the next is refused', async () => {
  const { run, ask } = await openServer()
  const answers = await ask(queueLimits.caller.questions, 'x')
  expect(new Set(answers.map(({ code }) => code))).toEqual(new Set(['approval_required']))
  expect((await ask(1, 'x', 'more'))[0]).toMatchObject({
    code: 'approval_queue_full',
    detail: expect.stringContaining('1000 questions about calls of this caller may be pending'),
  })
  const listed: { id: string }[] = JSON.parse((await run(['approvals', '--json'])).stdout)
  expect(listed).toHaveLength(queueLimits.caller.questions)
  expect((await run(['approvals', 'approve', listed[0]!.id])).code).toBe(0)
  expect((await run(['approvals', 'deny', '--all-from', 'local'])).stdout).toContain('Denied: 999 of 999.')
})

interface Answered {
  readonly status: number
  readonly code: string
}

/** A real server whose calls do not wait, so that questions stay pending without a connection. */
async function openServer() {
  const folder = openFolder()
  const limits = { 'workspace.create_file': { inputBytes: 8_000_000 } }
  writeFileSync(join(folder.folder, 'own.json'), JSON.stringify({ toolsets: ['workspace', 'learning'], limits }))
  const token = (await folder.run(['token', 'create', 'ada'])).stdout.trim()
  const { send, pid } = await folder.start(['--config', 'own.json', '--no-wait'])

  /** Creates questions about calls that create files, a few at a time. */
  async function ask(count: number, content: string, name = 'file'): Promise<Answered[]> {
    const answers: Answered[] = []
    let next = 0
    const askInTurn = async () => {
      while (next < count) {
        const body = JSON.stringify({ path: `${name}-${next++}.txt`, content })
        const { status, json } = await send('/v1/tools/workspace_create_file', { body })
        answers.push({ ...json, status })
      }
    }
    await Promise.all(Array.from({ length: 8 }, askInTurn))
    return answers
  }

  /** Does something while another caller makes a call after the other. */
  async function watch<T>(work: () => Promise<T>): Promise<Watched & { readonly result: T }> {
    const working = work()
    let isDone = false
    const ended = working.finally(() => {
      isDone = true
    })
    const [times, statuses]: number[][] = [[], []]
    let maxRssMb = 0
    while (!isDone) {
      const before = performance.now()
      const { status } = await send('/v1/tools/learning_hello', { body: '{"name":"Ada"}', token })
      times!.push(performance.now() - before)
      statuses!.push(status)
      maxRssMb = Math.max(maxRssMb, rssMb())
    }
    return { result: await ended, times: times!, statuses: statuses!, maxRssMb }
  }

  // Linux only.
  const rssMb = () =>
    process.platform === 'linux'
      ? Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024
      : 0
  return { run: folder.run, ask, watch, rssMb }
}

interface Watched {
  /** Of the other caller. */
  readonly statuses: readonly number[]
  /** In milliseconds. */
  readonly times: readonly number[]
  readonly maxRssMb: number
}

function toText(parts: { readonly [name: string]: Watched }): string {
  return Object.entries(parts)
    .map(([name, { times, maxRssMb }]) => {
      const sorted = [...times].sort((a, b) => a - b)
      const at = (part: number) => sorted[Math.floor(part * (sorted.length - 1))]?.toFixed(1)
      return `${name}: p50 ${at(0.5)} ms, p99 ${at(0.99)} ms of ${times.length} calls, ${Math.round(maxRssMb)} MB`
    })
    .join('; ')
}
