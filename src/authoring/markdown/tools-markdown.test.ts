import fc from 'fast-check'
import { expect, test } from 'vitest'
import { contracts, toolsetNames } from '../../../test/helpers/random-contracts.ts'
import type { ContractSource } from '../../contract/contract.ts'
import { defineTool } from '../../contract/define-tool.ts'
import { defineToolset } from '../../contract/define-toolset.ts'
import { fromContractSet } from '../../projections/contracts.ts'
import { fromMarkdown } from './from-markdown.ts'
import { toToolsMarkdown } from './tools-markdown.ts'

const output = { type: 'object', additionalProperties: false, properties: {} } as const

test('a tool is shown with its words, its fields and its schemas', () => {
  const page = toToolsMarkdown([toFiles({ effects: { writes: ['path'] }, constraints: ['Never overwrites.'] })])
  expect(page).toContain('## files\n\nSome files.\n\n| Tool | Access | Side Effects | Approval Required |\n')
  expect(page).toContain('| [`files.write`](#fileswrite) | Files | Writes files | Yes |\n')
  expect(page).toContain(
    '### files.write\n\nWrites a file.\n\n- name: `write`\n- endpoint: `files` (default)\n- transport: mcp (stdio or http), rest (default)\n',
  )
  expect(page).toContain('- status: active\n- version: 1.0.0\n- risk: safe_write\n- approval: ask\n')
  expect(page).toContain('- effects: `{ "writes": ["path"] }`\n')
  expect(page).toContain('**Constraints**\n\n- Never overwrites.\n')
  expect(page).toContain(
    '  "properties": { "path": { "type": "string", "description": "Where | what", "maxLength": 9 }',
  )
})

test('the table has the summary of the contract, and exact text follows below it', () => {
  const page = toToolsMarkdown([toFiles({ summary: { access: 'Memory | only', sideEffects: 'Append' } })])
  expect(page).toContain(String.raw`| Memory \| only | Append | Yes |`)
  expect(page).toContain('- access: Memory | only\n- side_effects: Append\n')
})

test('a transport and an endpoint of the contract are written as they are, beside its toolset', () => {
  const own = toToolsMarkdown([toFiles({ transport: 'mcp (stdio)', endpoint: 'files' })])
  expect(own).toContain('- endpoint: `files`\n- transport: mcp (stdio)\n- status: active\n')
  const away = toToolsMarkdown([toFiles({ endpoint: 'https://a.example' })])
  expect(away).toContain('- toolset: `files`\n- endpoint: `"https://a.example"`\n- transport: mcp (stdio or http), rest (default)\n')
}) // biome-ignore format: one line

test('words that Markdown would change are escaped, and those that it cannot hold are JSON', async () => {
  const description = 'Writes <b> and *stars*, as `code`.'
  expect(toToolsMarkdown([toFiles({ description })])).toContain(String.raw`Writes \<b\> and \*stars\*, as \`code\`.`)
  const page = toToolsMarkdown([toFiles({ description: 'Two\nlines and `ticks`.', constraints: [' space', '[x]'] })])
  expect(page).toContain(String.raw`Two lines and \`ticks\`.`)
  expect(page).toContain('- description: `"Two\\nlines and \\u0060ticks\\u0060."`\n')
  expect(page).toContain('- `" space"`\n- `"[x]"`\n')
})

test('two headings of one name have anchors of their own', () => {
  const page = toToolsMarkdown([toFiles({}), toFiles({})])
  expect(page).toContain('[`files.write`](#fileswrite-1)')
})

test('the contracts that are read back are identical, whatever they say', async () => {
  const toolsets = fc.uniqueArray(
    fc.tuple(toolsetNames, fc.uniqueArray(contracts, { minLength: 1, maxLength: 2, selector: ({ name }) => name })),
    {
      minLength: 1,
      maxLength: 2,
      selector: ([name]) => name,
    },
  )
  await fc.assert(
    fc.asyncProperty(toolsets, fc.string(), async (made, description) => {
      const page = toToolsMarkdown(made.map(([name, tools]) => ({ name, description, tools: tools.map((contract) => ({ contract })) }))) // biome-ignore format: one line
      const read = await fromMarkdown(page)
      const found = await Promise.all(read.contracts.map(async ({ id, source }) => [id, Object.values(await fromContractSet([source as never]))[0]])) // biome-ignore format: one line
      const wanted = made.flatMap(([name, tools]) => tools.map((contract) => [`${name}.${contract.name}`, contract]))
      expect(JSON.parse(JSON.stringify(found))).toEqual(JSON.parse(JSON.stringify(wanted)))
      expect(read.contracts.flatMap(({ assumed }) => assumed)).toEqual([])
    }),
    { numRuns: 30 },
  )
})

function toFiles(more: Partial<ContractSource>) {
  const input = {
    type: 'object',
    additionalProperties: false,
    required: ['path'],
    properties: { path: { type: 'string', description: 'Where | what', maxLength: 9 } },
  } as const
  const source: ContractSource = {
    name: 'write',
    description: 'Writes a file.',
    risk: 'safe_write',
    input,
    output,
    ...more,
  }
  return defineToolset('files', [defineTool(source, () => ({}))], { description: 'Some files.' })
}
