import type { Contract } from '../../contract/contract.ts'
import { toTitle } from '../../contract/define-tool.ts'
import { toolsetNameForm } from '../../contract/forms.ts'
import { printable, printableJson } from '../../contract/text/printable.ts'
import { servedOver } from '../../contract/transport.ts'
import { toSummary } from '../../projections/summary.ts'
import { toCell } from './errors-markdown.ts'
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
 * The living document of the tools. It contains everything in the contracts, and `fromMarkdown` reads the same contracts back.
 * Values that prose can express exactly are prose; everything else is JSON.
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

/** Omitted fields are marked as defaults, so that they are not read back. */
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
  // Text entirely in brackets would be read as a placeholder.
  const isGap = /^\[[^\]]*\]$/.test(text)
  return `- ${(isGap ? undefined : toItemText(text)) ?? toInlineJson(text)}`
}

/** A readable JSON block: values that fit are on one line. The content cannot close the fence. */
function toJsonBlock(value: unknown): string {
  return `\`\`\`json\n${toLines(value, 0, '')}\n\`\`\``
}

/** JSON as inline code. The content cannot close it. */
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

/** Paragraphs that are read back as exactly this text. Undefined if that is not possible in readable Markdown. */
function toParagraphs(text: string): string | undefined {
  return choose(text, (markdown) => {
    const blocks = parseMarkdown(markdown)
    const paragraphs = blocks.filter((block) => block.kind === 'paragraph')
    if (paragraphs.length < blocks.length || !paragraphs.every(({ inlines }) => isPlainText(inlines))) return false
    return paragraphs.map(({ inlines }) => textOf(inlines)).join('\n\n') === text
  })
}

/** The same as a list item, after `before`. */
function toItemText(text: string, before = ''): string | undefined {
  if (text !== text.trim() || text.includes('\n')) return undefined
  return choose(text, (markdown) => {
    const [list, ...more] = parseMarkdown(`- ${before}${markdown}`) as [Block, ...Block[]]
    if (list.kind !== 'list' || more.length > 0 || list.items.length !== 1) return false
    const [{ inlines, items, codes }] = list.items as [(typeof list.items)[number]]
    return items.length === 0 && codes.length === 0 && isPlainText(inlines) && textOf(inlines) === before + text
  })
}

/** A readable approximation of text that Markdown cannot represent. */
function toRoughText(text: string): string {
  return toParagraphs(printable(text.replaceAll(/\s+/g, ' ')).trim()) ?? ''
}

/** Plain if that reads back the same, otherwise escaped. Undefined for text with invisible characters. */
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

/** GitHub's anchors of headings: the second heading of the same name ends in -1. */
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
