import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { entries } from '../helpers/run-command.ts'
import { openScriptedModel } from '../helpers/scripted-model.ts'

const folder = mkdtempSync(join(tmpdir(), 'toolpact-transcript-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** The schemas of the requirements document. */
const input = {
  type: 'object',
  required: ['text'],
  additionalProperties: false,
  properties: { text: { type: 'string', minLength: 1 } },
}
const output = {
  type: 'object',
  required: ['clean_text'],
  additionalProperties: false,
  properties: { clean_text: { type: 'string', minLength: 1 } },
}

/** `toolpact serve --stdio` with this toolset alone, driven by the official client. */
async function openServed(more: readonly string[], env: Record<string, string> = {}) {
  const client = new Client({ name: 'a test', version: '1' })
  const args = [entries.toolpact, 'serve', '--stdio', '--toolset', 'transcript-clean', ...more]
  const state = { TOOLPACT_STATE_DIR: join(folder, 'state') }
  const common = { PATH: process.env.PATH ?? '' }
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args,
      cwd: folder,
      env: { ...common, ...state, ...env },
      stderr: 'ignore',
    }),
  )
  onTestFinished(() => client.close())
  return client
}

test('is served alone under its listed name and with the required schemas, and cleans with a model', async () => {
  await using model = await openScriptedModel(({ said }) => {
    const lines = said.at(-1)!.content.split('\n').slice(1, -1)
    return lines.map((line) => `${line}.`).join('\n')
  })
  const client = await openServed([], model.environment)
  expect(client.getServerVersion()).toMatchObject({ name: 'transcript-clean' })
  const { tools } = await client.listTools()
  expect(tools.map(({ name }) => name)).toEqual(['transcript_clean'])
  expect(tools[0]).toMatchObject({ inputSchema: input, outputSchema: output })
  const seen: number[] = []
  const arguments_ = { text: 'Ada: um we we paid 300 not 400' }
  const result = await client.callTool(
    { name: 'transcript_clean', arguments: arguments_ },
    { onprogress: ({ progress }) => seen.push(progress) },
  )
  expect(result.structuredContent).toEqual({ clean_text: 'Ada: we paid 300 not 400.' })
  expect(result._meta!['toolpact/notes']).toMatchObject({ invented: 0, chunks: { total: 1, by_model: 1, by_rules: 0 } })
  expect(seen.length).toBeLessThanOrEqual(2)
  expect(model.received[0]!.headers.authorization).toBe('Bearer scripted-key')
})

test('called by its required name without a model, it fails as its contract declares, and cleans by rules if configured to', async () => {
  const without = await openServed([])
  const call = { name: 'transcript.clean', arguments: { text: 'um we we paid 300' } }
  const failed = await without.callTool(call)
  expect(failed.isError).toBe(true)
  expect(failed._meta!['toolpact/error']).toMatchObject({
    code: 'model_error',
    suggestion: expect.stringMatching(/TOOLPACT_MODEL_URL.*--set transcript-clean.rulesOnly=true/),
  })
  const rules = await openServed(['--set', 'transcript-clean.rulesOnly=true'])
  const cleaned = await rules.callTool(call)
  expect(cleaned.structuredContent).toEqual({ clean_text: 'we paid 300' })
  expect(cleaned._meta!['toolpact/notes']).toMatchObject({
    invented: 0,
    model: null,
    dropped: { fillers: 1, repeats: 1 },
  })
})
