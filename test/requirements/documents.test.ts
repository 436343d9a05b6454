import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { compareDocument } from '../../src/authoring/markdown/compare-document.ts'
import { type DocumentedContract, type Finding, fromMarkdown } from '../../src/authoring/markdown/from-markdown.ts'
import { toolsets } from '../../src/toolsets/index.ts'
import { differences } from './differences.ts'

const folder = new URL('../../../shared/seeds/', import.meta.url)

/** The number of tools per document, and its toolset if the document does not name one. */
const documents: { readonly [number: string]: { readonly tools: number; readonly toolset?: string } } = {
  '000': { tools: 3, toolset: 'learning' },
  '001': { tools: 3, toolset: 'practitioner' },
  '002': { tools: 5 },
  '003': { tools: 0 },
  '004': { tools: 10, toolset: 'workspace' },
}

describe.skipIf(!existsSync(folder))('documents that the tools were made after (needs ../shared/seeds)', () => {
  test.each(Object.entries(documents))(
    'document %s is read, and the report says what became of each line',
    async (number, { tools }) => {
      const { contracts, report } = await fromMarkdown(read(number))
      expect(contracts).toHaveLength(tools)
      await expect(`${report.map(toLine).join('\n')}\n`).toMatchFileSnapshot(`./reports/${number}.txt`)
    },
  )

  test('the built-in contracts are as the documents say, except where a decision says why', async () => {
    const found = (await Promise.all(Object.keys(documents).map(compare))).flat()
    const allowed = (difference: (typeof found)[number]) =>
      differences.filter(({ tools, pointers }) => tools.test(difference.tool) && pointers.test(difference.pointer))
    expect(found.filter((difference) => allowed(difference).length === 0)).toEqual([])
    // Stale entries must be removed from the list.
    const used = new Set(found.flatMap(allowed))
    expect(differences.filter((difference) => !used.has(difference))).toEqual([])
  })
})

test('each difference that is allowed has its decision', () => {
  const files = readdirSync(new URL('../../docs/decisions/', import.meta.url))
  for (const { decision } of differences)
    expect(
      files.filter((file) => file.startsWith(`${decision}-`)),
      decision,
    ).toHaveLength(1)
})

async function compare(number: string) {
  const { contracts } = await fromMarkdown(read(number), { lint: false })
  const named = contracts.map((contract) => toNamed(contract, documents[number]!.toolset))
  const names = new Set(named.map(({ toolset }) => toolset!))
  const served = await Promise.all([...names].filter((name) => Object.hasOwn(toolsets, name)).map(toServed))
  // Planned toolsets cannot be compared yet.
  const existing = served.flat().map(({ toolset }) => toolset)
  return compareDocument(
    named.filter(({ toolset }) => existing.includes(toolset!)),
    served.flat(),
  )
}

function toNamed(contract: DocumentedContract, toolset: string | undefined): DocumentedContract {
  return toolset === undefined ? contract : { ...contract, toolset, id: `${toolset}.${contract.source.name}` }
}

async function toServed(toolset: string) {
  const { tools } = await toolsets[toolset]!()
  return tools.filter(({ offer }) => !offer).map((tool) => ({ id: `${toolset}.${tool.contract.name}`, toolset, tool }))
}

function toLine({ line, kind, severity, code, tool = '', pointer = '' }: Finding): string {
  return `${line} ${severity ?? kind} ${code} ${tool} ${pointer}`.trimEnd().replaceAll(/ +/g, ' ')
}

function read(number: string): string {
  const name = readdirSync(folder).find((file) => file.startsWith(number))!
  return readFileSync(new URL(name, folder), 'utf8')
}
