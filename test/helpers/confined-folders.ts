import { mkdirSync, realpathSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, onTestFinished } from 'vitest'
import { openToolpact, type ToolpactOptions } from '../../src/app/app.ts'
import type { ConfigSource } from '../../src/app/config/config.ts'
import { probe } from '../../src/capabilities/sandbox/probe.ts'
import { makeFolder } from './open-test-pipeline.ts'

/** Whether handlers can be confined here. */
export const works = process.platform === 'linux' && 'driver' in (await probe())

export let workspace: string
export let stateDirectory: string
beforeEach(() => {
  workspace = realpathSync(makeFolder())
  stateDirectory = makeFolder()
})

const contract = (name: string) => ({
  name,
  description: 'Does something with a text, or with the path of a file, and returns what it found there.',
  risk: 'read_only',
  input: {
    type: 'object',
    additionalProperties: false,
    properties: { value: { type: 'string', description: 'What to do it with' } },
  },
  output: {
    type: 'object',
    additionalProperties: false,
    required: ['text'],
    properties: { text: { type: 'string', description: 'What was found' } },
  },
  errors: [{ code: 'not_there', status: 404, when: 'Nothing is there.', suggestion: 'Try another one.' }],
  limits: { timeoutMs: 20_000 },
  examples: [{ input: { value: 'x' }, output: { text: 'x' } }],
})

/** Writes a contract folder: a contract for each handler, and files. */
export function makeContracts(
  name: string,
  handlers: { readonly [file: string]: string },
  files: { readonly [file: string]: string | object } = {},
) {
  // biome-ignore format: one line
  const folder = join(workspace, name)
  mkdirSync(folder, { recursive: true })
  for (const [file, code] of Object.entries(handlers)) {
    const stem = file.replace(/\.\w+$/, '')
    writeFileSync(join(folder, `${stem}.contract.json`), JSON.stringify(contract(stem)))
    writeFileSync(join(folder, file), code)
  }
  for (const [file, content] of Object.entries(files))
    writeFileSync(join(folder, file), typeof content === 'string' ? content : JSON.stringify(content))
  return folder
}

export async function openFolders(entries: readonly object[], options: ToolpactOptions = {}, config: object = {}) {
  const toolpact = await openToolpact({
    storage: 'memory',
    stateDirectory,
    workspace,
    config: { contracts: entries, ...config } as ConfigSource,
    ...options,
  })
  onTestFinished(() => toolpact.close())
  const call = async (tool: string, value = 'x', more: object = {}) => {
    const result = await toolpact.call(tool, { value }, more)
    return result.success ? (result.output as { text: string }).text : result.error
  }
  return { toolpact, call }
}

export const reads = `import { readFileSync } from 'node:fs'
export const run = ({ value }) => ({ text: readFileSync(value, 'utf8') })`
export const says = `export const run = ({ value }) => ({ text: value + ' from ' + process.pid + ' since ' + performance.timeOrigin })`
