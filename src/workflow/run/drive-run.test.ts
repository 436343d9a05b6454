import { expect, test } from 'vitest'
import type { JsonObject } from '../../contract/json.ts'
import { openMemoryStorage } from '../../runtime/storage/memory/memory.ts'
import { readWorkflow } from '../document/read-workflow.ts'
import { RunDrive } from './drive-run.ts'

const text = { type: 'object', properties: {} }
const document = {
  name: 'each',
  description: 'Calls a tool for each item.',
  risk: 'read_only',
  input: text,
  output: text,
  steps: [{ id: 'each', tool: 'a.b', input: {}, forEach: { in: ['x', 'y', 'z'], max: 3, parallel: 2 } }],
  result: { all: { $from: '/steps/each/output', default: [] } },
}

// A call that ended while it was found out what can begin next ended the run too early, without the output of its step.
test('a run does not end before its steps, whenever their calls end', async () => {
  const read = await readWorkflow(JSON.stringify(document), 'json')
  if (!read.ok) throw new Error(JSON.stringify(read.problems))
  for (let ticks = 0; ticks < 1200; ticks++) {
    // The first item ends at another moment than the others.
    const delays = [Math.floor(ticks / 40), ticks % 40, ticks % 40]
    const { runs, approvals, ledger } = openMemoryStorage()
    const run = {
      id: `run ${ticks}`,
      owner: 'me',
      workflow: 'a.each',
      contractDigest: '',
      caller: 'ada',
      workspace: '/',
    }
    await runs!.add({ ...run, leaseUntil: Number.MAX_SAFE_INTEGER, total: 1, request: {} }, Date.now())
    const request = { input: {}, caller: { name: 'ada' }, workflow: read.workflow }
    const drive = new RunDrive(
      { ...run, epoch: 1, createdAt: Date.now(), request, steps: [] },
      {
        runs: runs!,
        approvals,
        ledger,
        async call({ tool, part }) {
          for (let tick = 0; tick < delays[Number(part.step.at(-1))]!; tick++) await undefined
          return {
            success: true,
            tool,
            callId: part.callId,
            output: { key: part.step },
            ran: true,
            durationMs: 0,
          } as never
        },
        findContract: async () => ({ risk: 'read_only' }) as never,
        mayBegin: () => true,
        isPausing: () => false,
        onProgress() {},
        keepMs: 1000,
      },
    )
    expect(await drive.drive()).toBe('ended')
    const { output } = (await runs!.texts(run.id))!.result as { output: JsonObject }
    expect([ticks, output.all]).toEqual([ticks, ['each/0', 'each/1', 'each/2'].map((key) => ({ key }))]) // biome-ignore format: one line
  }
})
