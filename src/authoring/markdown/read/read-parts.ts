import type { Section } from './block.ts'
import { type Block, type Code, type Inline, type Item, type Paragraph, textOf } from './block.ts'
import { type Label, toLabel } from './labels.ts'

/** The content under one label: `### Input Schema`, `**Parameters**:` or `- input_schema:`. */
export interface Part {
  /** `lead` is the content before the first label. */
  readonly label: Label | 'lead' | 'unknown'
  /** The label as written. */
  readonly name: string
  readonly line: number
  /** The rest of the label's line. */
  readonly inlines: readonly Inline[]
  readonly blocks: readonly Block[]
}

interface Growing extends Part {
  readonly form: 'lead' | 'heading' | 'bold' | 'list'
  readonly blocks: Block[]
}

/** The parts of a section and its subsections, in order. */
export function readParts(section: Section): Part[] {
  const lead: Growing = {
    label: 'lead',
    name: '',
    line: section.heading?.line ?? 1,
    inlines: [],
    blocks: [],
    form: 'lead',
  }
  const parts = [lead]
  collect(section, parts)
  return parts
}

function collect(section: Section, parts: Growing[]) {
  for (const block of section.blocks) {
    const last = parts.at(-1)!
    const bold = block.kind === 'paragraph' ? fromBold(block) : undefined
    if (bold) parts.push(bold)
    else if (block.kind === 'list' && (last.form === 'lead' || last.form === 'list') && block.items.some(isField)) {
      parts.push(...block.items.map(fromItem))
    } else last.blocks.push(block)
  }
  for (const inner of section.sections) {
    const { text, line } = inner.heading!
    const name = text.replace(/:\s*$/, '')
    parts.push({ label: toLabel(name) ?? 'unknown', name, line, inlines: [], blocks: [], form: 'heading' })
    collect(inner, parts)
  }
}

/** `**Label**: text`, `**Label:** text`, or a bold line alone. */
function fromBold({ inlines, line }: Paragraph): Growing | undefined {
  const [first, second, ...rest] = inlines
  if (first?.kind !== 'strong') return undefined
  const isEnded = /:\s*$/.test(first.text)
  const isFollowed = second?.kind === 'text' && /^\s*:/.test(second.text)
  const label = toLabel(first.text)
  if (!(isEnded || isFollowed || (second === undefined && label))) return undefined
  const name = first.text.replace(/\s*:\s*$/, '')
  const after = second && isFollowed ? { ...second, text: second.text.replace(/^\s*:/, '') } : second
  return { label: label ?? 'unknown', name, line, inlines: after ? [after, ...rest] : [], blocks: [], form: 'bold' }
}

const fieldForm = /^\s*([A-Za-z][A-Za-z _-]{0,30}):/

/** `- status: active` */
function isField({ inlines }: Item): boolean {
  const [, name] = fieldForm.exec(nameText(inlines)) ?? []
  return name !== undefined && toLabel(name) !== undefined
}

function fromItem({ inlines, line, codes, items }: Item): Growing {
  const [whole, name] = fieldForm.exec(nameText(inlines)) ?? []
  const blocks: Block[] = [
    ...codes,
    ...(items.length > 0 ? [{ kind: 'list' as const, line, lastLine: line, items }] : []),
  ]
  if (whole === undefined) return { label: 'unknown', name: '', line, inlines, blocks, form: 'list' }
  return { label: toLabel(name!) ?? 'unknown', name: name!, line, inlines: withoutName(inlines), blocks, form: 'list' }
}

/** The name may be bold or code, with the colon inside or right after it. */
function nameText([first, second]: readonly Inline[]): string {
  if (first === undefined) return ''
  return first.kind === 'text' ? first.text : first.text + (second?.text ?? '')
}

function withoutName([first, ...rest]: readonly Inline[]): Inline[] {
  const left = (inline: Inline) => ({ ...inline, text: inline.text.slice(inline.text.indexOf(':') + 1) })
  if (first!.text.includes(':')) return [left(first!), ...rest]
  return rest.map((inline, index) => (index === 0 ? left(inline) : inline))
}

/** Code blocks of a part. */
export function codesOf({ blocks }: Part): Code[] {
  return blocks.filter((block) => block.kind === 'code')
}

/** Prose of a part: the rest of the label's line, and its paragraphs. */
export function proseOf({ inlines, blocks }: Part): string {
  const paragraphs = blocks.filter((block) => block.kind === 'paragraph').map((block) => textOf(block.inlines))
  return [textOf(inlines).trim(), ...paragraphs].filter((text) => text !== '').join('\n\n')
}
