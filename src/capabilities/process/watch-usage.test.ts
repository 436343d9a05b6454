import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { expect, onTestFinished, test } from 'vitest'
import { watchUsage } from './watch-usage.ts'

const plenty = { processes: 1000, memoryBytes: 2 ** 40, fileBytes: 2 ** 40 }

test.skipIf(process.platform !== 'linux')(
  'as many processes as allowed may run, and one more is too many',
  async () => {
    const leader = await startTree(2)
    const within = watch(leader, { ...plenty, processes: 3 })
    const beyond = watch(leader, { ...plenty, processes: 2 })
    expect(await beyond.exceeded).toBe('processes')
    expect(within.reported()).toBeUndefined()
  },
)

test.skipIf(process.platform !== 'linux')('all memory that is allowed may be used, and no byte more', async () => {
  const leader = await startTree(1)
  const child = readFileSync(`/proc/${leader}/task/${leader}/children`, 'utf8').trim()
  // Stopped, so that their memory does not change.
  for (const id of [child, leader]) {
    process.kill(Number(id), 'SIGSTOP')
    await expect.poll(() => readFileSync(`/proc/${id}/status`, 'utf8')).toMatch(/^State:\s*T/m)
  }
  const used = Math.min(
    ...(['status:RssAnon', 'smaps_rollup:Pss_Anon'] as const).map((field) => sumField(field, [String(leader), child])),
  )
  const within = watch(leader, { ...plenty, memoryBytes: used })
  const beyond = watch(leader, { ...plenty, memoryBytes: used - 1 })
  expect(await beyond.exceeded).toBe('memory')
  expect(within.reported()).toBeUndefined()
})

/** A shell with this many sleeping children, once all of them run. */
async function startTree(children: number): Promise<number> {
  const script = `${'sleep 300 & '.repeat(children)}echo; wait`
  const shell: ChildProcess = spawn('sh', ['-c', script], { detached: true, stdio: ['ignore', 'pipe', 'ignore'] })
  onTestFinished(() => void process.kill(-shell.pid!, 'SIGKILL'))
  await new Promise((resolve) => shell.stdout!.once('data', resolve))
  return shell.pid!
}

/** Watches started in sequence fire in this order. */
function watch(leader: number, limits: typeof plenty) {
  let limit: string | undefined
  const { promise: exceeded, resolve } = Promise.withResolvers<string>()
  onTestFinished(
    watchUsage(leader, limits, (met) => {
      limit = met
      resolve(met)
    }),
  )
  return { exceeded, reported: () => limit }
}

function sumField(field: `${string}:${string}`, ids: readonly string[]): number {
  const [file, name] = field.split(':')
  const read = (id: string) => new RegExp(`^${name}:\\s*(\\d+)`, 'm').exec(readFileSync(`/proc/${id}/${file}`, 'utf8'))
  return ids.reduce((sum, id) => sum + Number(read(id)![1]) * 1024, 0)
}
