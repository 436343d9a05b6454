import type { Contract } from '../../contract/contract.ts'
import { toTitle } from '../../contract/define-tool.ts'
import { toolsetNameForm } from '../../contract/forms.ts'
import { printable, printableJson } from '../../contract/text/printable.ts'
import { servedOver } from '../../contract/transport.ts'
import { toSummary } from '../../projections/summary.ts'
import { toCell } from './markdown-cell.ts'
import { type Block, type Inline, textOf } from './read/block.ts'
import { parseMarkdown } from './read/parse-markdown.ts'
import { defaultMark } from './read/read-fields.ts'

const width = 110

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

/** A value as a block of JSON for people: what fits on a line stands on one. Nothing in it can end the block. */
function toJsonBlock(value: unknown): string {
  return `\`\`\`json\n${toLines(value, 0, '')}\n\`\`\``
}

/** A value as JSON on one line, in code within a line. Nothing in it can end the code. */
function toInlineJson(value: unknown): string {
  return `\`${toLine(value).replaceAll('`', String.raw`\u0060`)}\``
}

function toLines(value: unknown, depth: number, before: string): string {
  const line = toLine(value)
  if (depth * 2 + before.length + line.length <= width || typeof value !== 'object' || value === null) return line
  const indent = '  '.repeat(depth + 1)
  const [open, close] = Array.isArray(value) ? '[]' : '{}'
  const parts = Array.isArray(value)
    ? value.map((part) => toLines(part, depth + 1, ''))
    : Object.entries(value).map(([key, part]) => {
        const name = `${printableJson(key)}: `
        return name + toLines(part, depth + 1, name)
      })
  if (parts.length === 0) return line
  return `${open}\n${parts.map((part) => indent + part).join(',\n')}\n${'  '.repeat(depth)}${close}`
}

/** `{ "a": [1, 2] }` */
function toLine(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(toLine).join(', ')}]`
  if (typeof value !== 'object' || value === null) return printableJson(value)
  const parts = Object.entries(value).map(([key, part]) => `${printableJson(key)}: ${toLine(part)}`)
  return parts.length === 0 ? '{}' : `{ ${parts.join(', ')} }`
}

/** Markdown that is read back as exactly this text: paragraphs. Undefined where there is none that people could read. */
function toParagraphs(text: string): string | undefined {
  return choose(text, (markdown) => {
    const blocks = parseMarkdown(markdown)
    const paragraphs = blocks.filter((block) => block.kind === 'paragraph')
    if (paragraphs.length < blocks.length || !paragraphs.every(({ inlines }) => isPlainText(inlines))) return false
    return paragraphs.map(({ inlines }) => textOf(inlines)).join('\n\n') === text
  })
}

/** The same as an item of a list, where `before` stands in front of it. */
function toItemText(text: string, before = ''): string | undefined {
  if (text !== text.trim() || text.includes('\n')) return undefined
  return choose(text, (markdown) => {
    const [list, ...more] = parseMarkdown(`- ${before}${markdown}`) as [Block, ...Block[]]
    if (list.kind !== 'list' || more.length > 0 || list.items.length !== 1) return false
    const [{ inlines, items, codes }] = list.items as [(typeof list.items)[number]]
    return items.length === 0 && codes.length === 0 && isPlainText(inlines) && textOf(inlines) === before + text
  })
}

/** Text that people can read in place of one that Markdown cannot hold; it may say less. */
function toRoughText(text: string): string {
  return toParagraphs(printable(text.replaceAll(/\s+/g, ' ')).trim()) ?? ''
}

/** As it is where that means the same, else with its marks escaped. What could not be seen is not written as prose. */
function choose(text: string, carries: (markdown: string) => boolean): string | undefined {
  if (text === '' || printable(text.replaceAll('\n', ' ')) !== text.replaceAll('\n', ' ')) return undefined
  return [text, escapeMarks(text)].find(carries)
}

function isPlainText(inlines: readonly Inline[]): boolean {
  return inlines.every(({ kind }) => kind === 'text')
}

function escapeMarks(text: string): string {
  return text
    .replaceAll(/[\\`*_[\]<>&|~]/g, String.raw`\$&`)
    .replaceAll(/^(#|[-+=])/gm, String.raw`\$1`)
    .replaceAll(/^(\d{1,9})([.)])/gm, String.raw`$1\$2`)
}

/** Gives headings the anchors that GitHub gives them: the second heading of a name ends in -1. */
function countSlugs(headings: readonly string[]): (heading: string) => string {
  const counts = new Map<string, number>()
  function toSlug(heading: string): string {
    const slug = heading
      .toLowerCase()
      .replaceAll(/[^\w\- ]/g, '')
      .replaceAll(' ', '-')
    const count = counts.get(slug) ?? 0
    counts.set(slug, count + 1)
    return count === 0 ? slug : `${slug}-${count}`
  }
  for (const heading of headings) toSlug(heading)
  return toSlug
}
