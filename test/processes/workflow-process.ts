import { existsSync, readFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { openToolpact } from '../../src/app/app.ts'

// Starts runs of a workflow, some at once, and goes on with those of processes that were killed. It also acts as the person who
// looks what became of a step that was interrupted. Prints the id of each run that began. Ends once it is told to and no run is open.

const [stateDirectory = '', folder = '', workspace = ''] = process.argv.slice(2)
const atOnce = 8

const toolpact = await openToolpact({ stateDirectory, contracts: [folder], toolsets: ['flow'], workspace })
const runs = toolpact.runs!
runs.begin()
writeSync(1, 'ready\n')

let isOver = false
process.stdin.on('data', () => {
  isOver = true
})

async function startOn(first: number) {
  for (let number = first; !isOver; number += atOnce) {
    const onStart = (id: string) => writeSync(1, `run ${id}\n`)
    const result = await toolpact.call('flow.five', { number, lane: `${process.pid}` }, { run: { onStart } })
    // A run that the person decides about is no longer waited for.
    if (!result.success && result.error.code !== 'run_pending') throw new Error(JSON.stringify(result))
  }
}

/** Says that an interrupted step is done if its effect is there, and that it runs again if not. */
async function decide() {
  const log = join(folder, 'sent.txt')
  for (const { id } of await runs.list({ state: 'needs_person', limit: 100 })) {
    const step = (await runs.find(id))?.steps.find(({ state }) => state === 'interrupted')
    if (!step) continue
    const isSent = existsSync(log) && readFileSync(log, 'utf8').includes(`${id}/${step.key}\n`)
    const decision = isSent ? ({ as: 'done', output: { number: 1 } } as const) : ({ as: 'again' } as const)
    // Another process may have decided already.
    await runs.resume(id, { step: step.key, ...decision }, 'a person').catch(() => {})
  }
}

async function countOpen(): Promise<number> {
  const states = ['running', 'waiting', 'needs_person'] as const
  const open = await Promise.all(states.map((state) => runs.list({ state, limit: 1000 })))
  return open.flat().length
}

const starting = Promise.all(Array.from({ length: atOnce }, (_, first) => startOn(first)))
while (!isOver || (await countOpen()) > 0) {
  await decide()
  await sleep(100)
}
await starting
await toolpact.close()
process.exit(0)
