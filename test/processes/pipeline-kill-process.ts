import { appendFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { openToolpact } from '../../src/app/app.ts'
import { defineTool } from '../../src/contract/define-tool.ts'
import { defineToolset } from '../../src/contract/define-toolset.ts'

// Calls tools until it is killed. Prints each acknowledged call; the writing tool appends a line per run.

const [stateDirectory = '', folder = ''] = process.argv.slice(2)
const shape = {
  type: 'object',
  additionalProperties: false,
  required: ['number'],
  properties: { number: { type: 'integer' } },
} as const
const pause = () => new Promise((resolve) => setTimeout(resolve, Math.random() * 3))

const read = defineTool(
  { name: 'read', description: 'Gives the number back.', risk: 'read_only', input: shape, output: shape },
  async ({ number }) => {
    await pause()
    return { number }
  },
)

const write = defineTool(
  { name: 'write', description: 'Appends to a file.', risk: 'safe_write', input: shape, output: shape },
  async ({ number }, { callId }) => {
    appendFileSync(join(folder, 'effects.txt'), `${callId}\n`)
    await pause()
    return { number }
  },
)

const toolpact = await openToolpact({
  stateDirectory,
  toolsets: [defineToolset('kill', [read, write])],
  approver: async () => ({ answer: 'yes', by: 'a test' }),
})

async function callOn(first: number) {
  for (let number = first; number < 1_000_000; number += 32) {
    const tool = number % 4 === 0 ? 'kill.write' : 'kill.read'
    const result = await toolpact.call(tool, { number })
    if (!result.success) throw new Error(JSON.stringify(result))
    writeSync(1, `${result.callId} ${tool}\n`)
  }
}

await Promise.all(Array.from({ length: 32 }, (_, first) => callOn(first)))
