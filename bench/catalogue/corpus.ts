import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Contract } from '../../src/contract/contract.ts'
import { defineTool } from '../../src/contract/define-tool.ts'
import type { JsonSchema } from '../../src/contract/json.ts'
import { toNameWords } from './queries.ts'

/** A tool definition as listed by a real server. */
export interface CorpusTool {
  readonly id: string
  readonly server: string
  readonly name: string
  readonly description: string
  readonly parameters: readonly { readonly name: string; readonly description: string }[]
  readonly entry: { readonly id: string; readonly toolset: string; readonly tool: { readonly contract: Contract } }
}

export interface Corpus {
  readonly tools: readonly CorpusTool[]
  /** Ids of the tools whose names consist of the same words, including its own. */
  sameName(tool: CorpusTool): ReadonlySet<string>
}

const folder = fileURLToPath(new URL('../../../shared/data/definitions', import.meta.url))

/** Definitions of real servers, stored outside the repository; undefined if absent. */
export function readCorpus(): Corpus | undefined {
  if (!existsSync(folder)) return undefined
  const tools = readdirSync(folder)
    .filter((file) => file.endsWith('.json'))
    .sort()
    .flatMap((file) => toTools(file.slice(0, -'.json'.length), JSON.parse(readFileSync(`${folder}/${file}`, 'utf8'))))
  const byName = Map.groupBy(tools, toKey)
  return { tools, sameName: (tool) => new Set(byName.get(toKey(tool))!.map(({ id }) => id)) }
}

interface Definition {
  readonly name: string
  readonly title?: string
  readonly description?: string
  readonly inputSchema: JsonSchema
}

function toTools(server: string, { tools }: { readonly tools: readonly Definition[] }): CorpusTool[] {
  return tools.map(({ name, title, description = '', inputSchema }) => {
    const id = `${server}.${name}`
    const properties = Object.entries((inputSchema.properties ?? {}) as { [name: string]: { description?: unknown } })
    const { contract } = defineTool(
      {
        name: name.replace(/[^A-Za-z0-9_.-]/g, '_').slice(0, 64),
        description,
        risk: 'read_only',
        input: inputSchema,
        output: { type: 'object' },
        ...(title !== undefined && { title }),
      },
      () => ({}),
    )
    const parameters = properties.map(([name, schema]) => ({ name, description: String(schema?.description ?? '') }))
    return { id, server, name, description, parameters, entry: { id, toolset: server, tool: { contract } } }
  })
}

function toKey({ name }: CorpusTool): string {
  return toNameWords(name).sort().join(' ')
}
