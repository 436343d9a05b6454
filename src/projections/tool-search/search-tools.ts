import type { Contract } from '../../contract/contract.ts'
import { defineTool } from '../../contract/define-tool.ts'
import { defineToolset } from '../../contract/define-toolset.ts'
import { toInputExamples } from '../../contract/input-examples.ts'
import type { JsonObject, JsonSchema } from '../../contract/json.ts'
import { isOpaque } from '../../contract/opaque-output.ts'
import { boundJson } from '../../contract/schema/bound-json.ts'
import { shorten } from '../../contract/text/shorten.ts'
import { createToolFinder, maxQueryCharacters, type SearchedCatalog } from './tool-finder.ts'
import type { Searchable } from './tool-index.ts'

const maxDescriptionCharacters = 4000

const maxInputSchemaBytes = 30_000

const maxOutputSchemaBytes = 2000

/** A result may be 64 levels deep, and the schema starts at the fourth. */
const maxDepth = 56

/** A tool as listed in the catalog, under the name that callers use. */
interface Listed extends Searchable {
  readonly name: string
}

/** The id of `search_tools`. */
export const searchToolsId = 'catalogue.search_tools'

const defaultLimit = 5
const maxToolsets = 100

/** The toolset for searching a catalogue's tools. */
export function createSearchToolset(catalog: SearchedCatalog<Listed>) {
  const find = createToolFinder(catalog)
  const searchTools = defineTool(
    {
      name: 'search_tools',
      title: 'Search tools',
      description:
        'Finds tools for a task among all tools that are served here, by words such as "create an issue". Returns the best matches with their input schemas. Call a found tool by its name; if it is not in your list of tools, run it with call_read_tool (risk read_only) or call_tool.',
      risk: 'read_only',
      input: {
        type: 'object',
        properties: {
          query: {
            type: 'string',
            minLength: 1,
            maxLength: maxQueryCharacters,
            description: 'What the tool should do, in a few words',
          },
          limit: {
            type: 'integer',
            minimum: 1,
            maximum: 20,
            default: defaultLimit,
            description: 'How many tools to return at most',
          },
        },
        required: ['query'],
        additionalProperties: false,
      },
      output: {
        type: 'object',
        properties: {
          tools: {
            type: 'array',
            description: 'The best matches, best first',
            maxItems: 20,
            items: {
              type: 'object',
              properties: {
                name: { type: 'string', description: 'The name to call it by' },
                toolset: { type: 'string', description: 'The toolset or server that it belongs to' },
                description: { type: 'string', description: 'What it does' },
                risk: { enum: ['read_only', 'safe_write', 'dangerous'], description: 'What it may change' },
                approval: { enum: ['never', 'ask'], description: 'Whether a person is asked before it runs' },
                input_schema: { type: 'object', description: 'JSON Schema of its input', additionalProperties: true },
                output_schema: {
                  type: 'object',
                  description: 'JSON Schema of its output, if it is short',
                  additionalProperties: true,
                },
                input_examples: {
                  type: 'array',
                  description: 'Inputs that it takes',
                  maxItems: 3,
                  items: { type: 'object', description: 'One input', additionalProperties: true },
                },
                note: { type: 'string', description: 'What was left out' },
              },
              required: ['name', 'toolset', 'description', 'risk', 'approval'],
              additionalProperties: false,
            },
          },
          total: { type: 'integer', minimum: 0, description: 'How many tools were searched' },
          toolsets: {
            type: 'array',
            description: 'If nothing matches: an overview, to search again with other words',
            maxItems: maxToolsets,
            items: { type: 'string', description: 'Name of a toolset' },
          },
        },
        required: ['tools', 'total'],
        additionalProperties: false,
      },
      examples: [
        {
          title: 'Nothing matches',
          input: { query: 'zzzz' },
          output: { tools: [], total: 120, toolsets: ['workspace', 'github'] },
          varies: ['/total', '/toolsets'],
        },
      ],
    },
    async ({ query, limit = defaultLimit }, { caller }) => {
      const { found, usable } = await find(query, limit, caller)
      const toolsets = [...new Set(usable.map(({ toolset }) => toolset))].slice(0, maxToolsets)
      return { tools: found.map(toFoundTool), total: usable.length, ...(found.length === 0 && { toolsets }) }
    },
  )
  return defineToolset('catalogue', [searchTools], { description: 'Finds tools by words.' })
}

interface Found {
  readonly name: string
  readonly toolset: string
  readonly tool: { readonly contract: Contract }
}

/** What a model needs to call a tool, of limited size. */
function toFoundTool({ name, toolset, tool: { contract } }: Found) {
  const { description, risk, approval, input, output } = contract
  const examples = toInputExamples(contract)
  const isShort = fits(input, maxInputSchemaBytes)
  return {
    name,
    toolset,
    description: shorten(description, maxDescriptionCharacters),
    risk,
    approval,
    ...(isShort ? { input_schema: input as JsonObject } : { note: 'Its input schema is too large to be shown here.' }),
    ...(fits(output, maxOutputSchemaBytes) && !isOpaque(contract) && { output_schema: output as JsonObject }),
    ...(examples.length > 0 && { input_examples: examples }),
  }
}

function fits(schema: JsonSchema, maxBytes: number): boolean {
  return boundJson(schema, { maxBytes, maxDepth }).ok
}
