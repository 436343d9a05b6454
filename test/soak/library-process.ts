/** A program that uses the library: each line is a call, `{ nonce, tool, input }`, or cancels one, `{ cancel }`. Run by surfaces.ts. */
import { createInterface } from 'node:readline'
import { openToolpact } from '../../src/app/app.ts'
import type { JsonObject } from '../../src/contract/json.ts'

type Line = { readonly nonce: string; readonly tool: string; readonly input: JsonObject } | { readonly cancel: string }

const [, , config = '', stateDirectory = ''] = process.argv
const toolpact = await openToolpact({ config, stateDirectory })
const underWay = new Map<string, AbortController>()

const lines = createInterface({ input: process.stdin })
process.on('SIGTERM', () => lines.close())
lines.on('line', (text) => {
  const line = JSON.parse(text) as Line
  if ('cancel' in line) underWay.get(line.cancel)?.abort()
  else call(line)
})
lines.on('close', async () => {
  await toolpact.close()
  process.exit()
})

async function call({ nonce, tool, input }: Exclude<Line, { cancel: string }>) {
  const controller = new AbortController()
  underWay.set(nonce, controller)
  const result = await toolpact.call(tool, input, { signal: controller.signal })
  underWay.delete(nonce)
  process.stdout.write(`${JSON.stringify({ id: nonce, result })}\n`)
}
