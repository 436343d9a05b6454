import type { Contract } from '../contract/contract.ts'
import type { JsonSchema } from '../contract/json.ts'
import { toCell } from './markdown-cell.ts'

interface DescribedToolset {
  readonly name: string
  readonly description: string
  readonly tools: readonly { readonly contract: Contract }[]
}

/** The document of every tool: what it does, what it takes, what it touches and whether it asks. */
export function toToolsMarkdown(toolsets: readonly DescribedToolset[]): string {
  return `${[
    '# Tools',
    '<!-- Written from the contracts by `toolpact export markdown`. -->',
    '`toolpact show TOOL` prints a contract whole: limits, output and examples too.',
    ...toolsets.flatMap(toToolset),
  ].join('\n\n')}\n`
}

function toToolset({ name, description, tools }: DescribedToolset): string[] {
  const rows = tools.map(({ contract }) => {
    const { name: tool, risk, approval } = contract
    return `| [\`${tool}\`](#${tool}) | ${risk} | ${toTouched(contract) || 'nothing'} | ${approval === 'ask' ? 'yes' : 'no'} |`
  })
  return [
    `## ${name}`,
    description,
    ['| tool | risk | touches | asks |', '|---|---|---|---|', ...rows].join('\n'),
    ...tools.flatMap(({ contract }) => toTool(contract)),
  ]
}

/** Such as "reads path, writes path". */
function toTouched({ effects }: Contract): string {
  return Object.entries(effects)
    .map(([kind, fields]) => `${kind} ${(fields as readonly string[]).map((field) => `\`${field}\``).join(', ')}`)
    .join('; ')
}

function toTool({ name, description, input }: Contract): string[] {
  const { properties = {}, required = [] } = input
  const rows = Object.entries(properties).map(([key, schema]) => {
    const { description: text = '', default: preset, ...shape } = schema as JsonSchema
    const need = required.includes(key) ? 'required' : preset === undefined ? '' : `default ${JSON.stringify(preset)}`
    return `| \`${key}\` | ${toCell(toType(shape))} | ${toCell(need)} | ${toCell(text)} |`
  })
  const table = ['| parameter | type | | |', '|---|---|---|---|', ...rows].join('\n')
  return [`### ${name}`, toCell(description), rows.length > 0 ? table : 'No parameters.']
}

/** Such as "integer, minimum 1, maximum 300". */
function toType({ type, enum: choices, ...bounds }: JsonSchema): string {
  const name = choices
    ? `one of ${choices.map((choice) => JSON.stringify(choice)).join(', ')}`
    : [type].flat().join(' or ')
  const simple = Object.entries(bounds).filter(([, value]) => ['string', 'number'].includes(typeof value))
  return [name, ...simple.map(([keyword, value]) => `${keyword} ${value}`)].join(', ')
}
