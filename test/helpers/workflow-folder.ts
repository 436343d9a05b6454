import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { openToolpact, type ToolpactOptions } from '../../src/app/app.ts'
import type { JsonObject } from '../../src/contract/json.ts'
import { makeFolder } from './open-test-pipeline.ts'

const text = { type: 'string', description: 'Some text' } as const
const object = (properties: object, required = Object.keys(properties)) => ({
  ...{ type: 'object', additionalProperties: false, properties, required },
})

/** A tool that appends `RUN/STEP TEXT` to a file of its folder, and fails or waits if the text says so. */
const appends = (once: boolean) => `
import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
const file = new URL('./log.txt', import.meta.url)
export const run = async ({ text }, { idempotencyKey = 'none', fail, signal }) => {
  if (text.startsWith('fail')) return fail('refused', 'It does not like ' + text + '.')
  const before = existsSync(file) ? readFileSync(file, 'utf8') : ''
  if (!${once} || !before.includes(idempotencyKey + ' ')) appendFileSync(file, idempotencyKey + ' ' + text + '\\n')
  if (text.startsWith('slow')) await sleep(Number(text.split(' ')[1]), undefined, { signal })
  return { text }
}
`

const errors = [{ code: 'refused', status: 422, when: 'The text begins with fail.', suggestion: 'Send another.' }]

const tools = {
  'note.contract.json': { name: 'note', description: 'Appends a text once.', risk: 'safe_write', approval: 'never', idempotent: true, input: object({ text }), output: object({ text }), errors }, // biome-ignore format: one line
  'note.js': appends(true),
  'send.contract.json': { name: 'send', description: 'Appends a text each time.', risk: 'safe_write', approval: 'never', input: object({ text }), output: object({ text }), errors }, // biome-ignore format: one line
  'send.js': appends(false),
  'publish.contract.json': { name: 'publish', description: 'Appends a text if a person agrees.', risk: 'safe_write', input: object({ text }), output: object({ text }), errors }, // biome-ignore format: one line
  'publish.js': appends(true),
}

/** A contract folder \`flow\` with the tools \`note\`, \`send\` and \`publish\`, and these workflows. */
export function makeWorkflowFolder(workflows: { readonly [name: string]: object }, within = makeFolder()) {
  const folder = join(within, 'flow')
  mkdirSync(folder)
  const files = { ...tools, ...Object.fromEntries(Object.entries(workflows).map(([name, document]) => [`${name}.workflow.json`, toDocument(name, document)])) } // biome-ignore format: one line
  for (const [name, content] of Object.entries(files))
    writeFileSync(join(folder, name), typeof content === 'string' ? content : JSON.stringify(content))
  return folder
}

/** The lines that the tools of the folder appended, without the ids of runs. */
export function readLog(folder: string): string[] {
  try {
    return readFileSync(join(folder, 'log.txt'), 'utf8').trimEnd().split('\n').map((line) => line.replace(/^[0-9a-f-]{36}\//, '')) // biome-ignore format: one line
  } catch {
    return []
  }
}

function toDocument(name: string, document: object): object {
  return {
    ...{ name, description: 'A workflow.', risk: 'safe_write' },
    input: object({ text }),
    output: { type: 'object', properties: {} },
    result: {},
    ...document,
  }
}

/** A step that calls a tool of the folder with a text, which may be an expression. */
export function step(id: string, tool: string, said: string | JsonObject, more: object = {}): JsonObject {
  return { id, tool: `flow.${tool}`, input: { text: said }, ...more } as JsonObject
}

export async function openFlow(folder: string, options: ToolpactOptions = {}) {
  const toolpact = await openToolpact({
    ...{ contracts: [folder], toolsets: ['flow'], storage: 'memory', workspace: makeFolder() },
    ...options,
  })
  onTestFinished(() => toolpact.close())
  return { ...toolpact, runs: toolpact.runs!, call: toolpact.call, close: toolpact.close, log: () => readLog(folder) }
}
