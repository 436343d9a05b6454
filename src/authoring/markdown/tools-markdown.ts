import type { Contract } from '../../contract/contract.ts'
import { toTitle } from '../../contract/define-tool.ts'
import { toolsetNameForm } from '../../contract/forms.ts'
import { printable } from '../../contract/text/printable.ts'
import { servedOver } from '../../contract/transport.ts'
import { toSummary } from '../../projections/summary.ts'
import { toCell } from './markdown-cell.ts'
import { defaultMark } from './read/read-fields.ts'
import { toInlineJson, toJsonBlock } from './write/json-block.ts'
import { toItemText, toParagraphs, toRoughText } from './write/prose.ts'
import { countSlugs } from './write/slugs.ts'

interface DescribedToolset {
  readonly name: string
  readonly description: string
  readonly tools: readonly { readonly contract: Contract }[]
}

/**
 * The living document of the tools: all that their contracts say, for people, and such that `fromMarkdown` reads the same
 * contracts out of it. Prose says what prose can say exactly; everything else is JSON.
 */
export function toToolsMarkdown(toolsets: readonly DescribedToolset[]): string {
  const slugs = countSlugs(['Tools'])
  return `${[
    '# Tools',
    '<!-- Written from the contracts by `toolpact export markdown`, and read by `toolpact contracts import`. -->',
    'Every tool with its contract: what it takes, what it answers, how it fails, and what it may touch.',
    ...toolsets.flatMap((toolset) => toToolset(toolset, slugs)),
  ].join('\n\n')}\n`
}

function toToolset({ name, description, tools }: DescribedToolset, slugs: ReturnType<typeof countSlugs>): string[] {
  slugs(name)
  const rows = tools.map(({ contract }) => {
    const id = `${name}.${contract.name}`
    const { access, sideEffects, approvalRequired } = toSummary(contract)
    const cells = [`[\`${id}\`](#${slugs(id)})`, toCell(printable(access)), toCell(printable(sideEffects))]
    return `| ${[...cells, approvalRequired ? 'Yes' : 'No'].join(' | ')} |`
  })
  return [
    `## ${name}`,
    toRoughText(description),
    ['| Tool | Access | Side Effects | Approval Required |', '|---|---|---|---|', ...rows].join('\n'),
    ...tools.flatMap(({ contract }) => toTool(contract, name)),
  ].filter((part) => part !== '')
}

function toTool(contract: Contract, toolset: string): string[] {
  const { description, constraints = [], input, output, errors, examples } = contract
  return [
    `### ${toolset}.${contract.name}`,
    toParagraphs(description) ?? toRoughText(description),
    toFields(contract, toolset).join('\n'),
    ...(constraints.length > 0 ? ['**Constraints**', constraints.map(toConstraint).join('\n')] : []),
    '**Input schema**',
    toJsonBlock(input),
    '**Output schema**',
    toJsonBlock(output),
    ...(errors.length > 0 ? ['**Errors**', toJsonBlock(errors)] : []),
    ...(examples.length > 0 ? ['**Examples**', toJsonBlock(examples)] : []),
  ].filter((part) => part !== '')
}

type Field = [field: string, value: string]

function toFields(contract: Contract, toolset: string): string[] {
  const { name, title, description, version, status, risk, approval, effects, limits, summary } = contract
  const fields: Field[] = [
    ['name', `\`${name}\``],
    ...toPlace(contract, toolset),
    ['status', status],
    ['version', version],
    ['risk', risk],
    ['approval', approval],
  ]
  if (title !== toTitle(name)) fields.push(toText('title', title))
  if (toParagraphs(description) === undefined) fields.push(['description', toInlineJson(description)])
  if (summary) fields.push(toText('access', summary.access), toText('side_effects', summary.sideEffects))
  if (Object.keys(effects).length > 0) fields.push(['effects', toInlineJson(effects)])
  fields.push(['limits', toInlineJson(limits)])
  return fields.map(([field, value]) => `- ${field}: ${value}`)
}

/** What the contract leaves out is marked as a default, so that it is not read back. */
function toPlace({ transport, endpoint }: Contract, toolset: string): Field[] {
  const code = (name: string) => `\`${name}\``
  const fields: Field[] = []
  if (endpoint === undefined) fields.push(['endpoint', `${code(toolset)} ${defaultMark}`])
  else {
    if (endpoint !== toolset) fields.push(['toolset', code(toolset)])
    fields.push(['endpoint', toolsetNameForm.test(endpoint) ? code(endpoint) : toInlineJson(endpoint)])
  }
  if (transport === undefined) fields.push(['transport', `${servedOver} ${defaultMark}`])
  else if (transport.endsWith(defaultMark)) fields.push(['transport', toInlineJson(transport)])
  else fields.push(toText('transport', transport))
  return fields
}

function toText(field: string, text: string): Field {
  return [field, toItemText(text, `${field}: `) ?? toInlineJson(text)]
}

function toConstraint(text: string): string {
  // Brackets around all of it mark a gap that somebody has to fill.
  const isGap = /^\[[^\]]*\]$/.test(text)
  return `- ${(isGap ? undefined : toItemText(text)) ?? toInlineJson(text)}`
}
