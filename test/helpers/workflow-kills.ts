import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished } from 'vitest'
import { openToolpact } from '../../src/app/app.ts'
import type { LedgerRecord } from '../../src/runtime/storage/storage.ts'
import { makeFolder } from './open-test-pipeline.ts'
import { entries } from './run-command.ts'

interface KillOptions {
  /** So many runs begin at least, and so often a process is killed. */
  readonly runs: number
  readonly kills: number
}

/** Two processes that are killed at random while they run workflows of five steps. Checks that each step took effect exactly once. */
export async function killWorkflows({ runs: wanted, kills }: KillOptions) {
  const [folder, stateDirectory, workspace] = [join(makeFolder(), 'flow'), join(makeFolder(), 'state'), makeFolder()]
  writeTools(folder)
  const begun: string[] = []
  const start = () => startProcess([stateDirectory, folder, workspace], (id) => begun.push(id))
  const running = await Promise.all([start(), start()])
  for (let killed = 0; killed < kills || begun.length < wanted; killed++) {
    await sleep(Math.random() * 800)
    const index = killed % 2
    await running[index]!.kill()
    running[index] = await start()
  }
  await Promise.all(running.map(({ end }) => end()))

  const toolpact = await openToolpact({ stateDirectory, contracts: [folder], toolsets: ['flow'], workspace })
  const stored = new Map<string, string>()
  for (let after: { id: string; createdAt: number } | undefined; ; ) {
    const page = await toolpact.runs!.list({ limit: 500, ...(after && { after }) })
    for (const { id, state } of page) stored.set(id, state)
    if (page.length < 500) break
    after = page.at(-1)
  }
  // No run is lost or stuck.
  expect(begun.filter((id) => stored.get(id) !== 'completed')).toEqual([])
  expect([...stored.values()].filter((state) => state !== 'completed')).toEqual([])
  // Each effect exactly once: of tools that recognize a repeated call, and of one that does not.
  const sent = readFileSync(join(folder, 'sent.txt'), 'utf8').trimEnd().split('\n')
  expect(sent.toSorted()).toEqual([...stored.keys()].map((id) => `${id}/four`).sort())
  const isMissing = (id: string) => ['one', 'two', 'five'].some((step) => !existsSync(join(folder, 'effects', `${id}.${step}`))) // biome-ignore format: one line
  expect([...stored.keys()].filter(isMissing)).toEqual([])
  // The whole story is in the ledger.
  const records = (await toolpact.ledger.read()).map(({ record }) => record)
  expect(findUntold(records, [...stored.keys()])).toEqual([])
  expect(await toolpact.proof!.verify({ full: true })).toMatchObject({ intact: true })
  await toolpact.close()
  return stored.size
}

function findUntold(records: readonly LedgerRecord[], runs: readonly string[]): string[] {
  const intended = new Set(records.flatMap((record) => (record.kind === 'intent' ? [record.run ? `${record.run.id}/${record.run.step}` : record.callId] : []))) // biome-ignore format: one line
  const steps = ['one', 'two', 'three', 'four', 'five']
  return runs.flatMap((id) => [id, ...steps.map((step) => `${id}/${step}`)]).filter((key) => !intended.has(key))
}

interface WorkflowProcess {
  kill(): Promise<void>
  /** Begins no more runs, and ends once all have. */
  end(): Promise<void>
}

async function startProcess(folders: readonly string[], onRun: (id: string) => void): Promise<WorkflowProcess> {
  const child = spawn(process.execPath, [entries.workflow, ...folders], { stdio: ['pipe', 'pipe', 'inherit'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  const ready = Promise.withResolvers<void>()
  createInterface({ input: child.stdout }).on('line', (line) => {
    if (line === 'ready') ready.resolve()
    else onRun(line.slice('run '.length))
  })
  const exited = exitOf(child)
  exited.then(() => ready.reject(new Error('The process ended before it was ready.')))
  await ready.promise
  return {
    async kill() {
      child.kill('SIGKILL')
      await exited
    },
    async end() {
      child.stdin.write('end\n')
      expect(await exited).toBe(0)
    },
  }
}

function exitOf(child: ChildProcess): Promise<number | null> {
  return new Promise((resolve) => child.once('exit', (code) => resolve(code)))
}

const integer = { type: 'integer', description: 'A number' } as const
const number = { type: 'object', additionalProperties: false, required: ['number'], properties: { number: integer } }
const pause = 'await new Promise((resolve) => setTimeout(resolve, Math.random() * 4))'

function writeTools(folder: string) {
  mkdirSync(join(folder, 'effects'), { recursive: true })
  const contract = (name: string, more: object) => ({ name, description: 'Takes a number and returns the same.', input: number, output: number, ...more }) // biome-ignore format: one line
  const call = (id: string, tool: string, from: string) => ({ id, tool: `flow.${tool}`, input: { number: { $from: from } } }) // biome-ignore format: one line
  const files = {
    'make.contract.json': contract('make', { risk: 'safe_write', approval: 'never', idempotent: true }),
    'make.js': `
import { writeFileSync } from 'node:fs'
export const run = async ({ number }, { idempotencyKey }) => {
  ${pause}
  try { writeFileSync(new URL('./effects/' + idempotencyKey.replace('/', '.'), import.meta.url), '', { flag: 'wx' }) } catch {}
  ${pause}
  return { number }
}`,
    'look.contract.json': contract('look', { risk: 'read_only' }),
    'look.js': 'export const run = ({ number }) => ({ number })',
    'send.contract.json': contract('send', { risk: 'safe_write', approval: 'never' }),
    'send.js': `
import { appendFileSync } from 'node:fs'
export const run = async ({ number }, { idempotencyKey }) => {
  ${pause}
  appendFileSync(new URL('./sent.txt', import.meta.url), idempotencyKey + '\\n')
  ${pause}
  return { number }
}`,
    'five.workflow.json': {
      ...{ name: 'five', description: 'Five steps.', risk: 'safe_write', output: number },
      input: { ...number, properties: { number: integer, lane: { type: 'string', description: 'Of a process' } } },
      steps: [
        call('one', 'make', '/input/number'),
        call('two', 'make', '/steps/one/output/number'),
        call('three', 'look', '/steps/two/output/number'),
        call('four', 'send', '/steps/three/output/number'),
        call('five', 'make', '/steps/four/output/number'),
      ],
      result: { number: { $from: '/steps/five/output/number' } },
    },
  }
  for (const [name, content] of Object.entries(files))
    writeFileSync(join(folder, name), typeof content === 'string' ? content : JSON.stringify(content))
}
