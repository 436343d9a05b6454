import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { Contract } from '../../src/contract/contract.ts'
import { checkWorkflow } from '../../src/workflow/check/check-workflow.ts'
import { findPosition } from '../../src/workflow/document/find-position.ts'
import { readWorkflow } from '../../src/workflow/document/read-workflow.ts'

const page = readFileSync('docs/workflows.md', 'utf8')
const example = /```yaml\n(.*?)```/s.exec(page)![1]!
const object = (properties: object) => ({ type: 'object', additionalProperties: false, properties, required: Object.keys(properties) }) // biome-ignore format: one line
const contracts: { readonly [id: string]: object } = {
  'pages.fetch': { risk: 'read_only', input: object({ url: { type: 'string', format: 'uri' } }), output: object({ text: { type: 'string' }, status: { type: 'integer' } }) }, // biome-ignore format: one line
  'notes.save': { risk: 'safe_write', input: object({ text: { type: 'string', minLength: 1, maxLength: 1000 } }), output: object({}) }, // biome-ignore format: one line
}

async function check(text: string) {
  const read = await readWorkflow(text, 'yaml')
  if (!read.ok) return read.problems
  return checkWorkflow(read.workflow, { findContract: (id) => contracts[id] as Contract | undefined })
}

test('the workflow of the page passes the check', async () => {
  expect(await check(example)).toEqual([])
})

test('the problem that the page shows is reported in these words, at this place', async () => {
  const text = example.replace('{ $truncate: [{ $from: /steps/page/output/text }, 1000] }', '{ $from: /steps/page/output/text }') // biome-ignore format: one line
  const [problem, ...others] = await check(text)
  const { line, column } = (await findPosition(text, problem!.pointer))!
  expect(others).toEqual([])
  const shown = /save_page\.workflow\.yaml(:.*)/.exec(page)![1]
  expect(shown).toBe(`:${line}:${column} ${problem!.pointer}: ${problem!.message}`)
})
