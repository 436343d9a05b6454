import type { Section } from './block.ts'
import { textOf } from './block.ts'
import { toLabel } from './labels.ts'
import { type Part, readParts } from './read-parts.ts'
import { mayBeWhole } from './read-schemas.ts'

export interface FoundTool {
  readonly name: string
  readonly line: number
  readonly parts: readonly Part[]
}

/** Splits sections into those that describe a tool and prose. */
export interface Found {
  readonly tools: FoundTool[]
  readonly prose: Section[]
}

/** A tool has a heading with its name and at least one schema below it. */
export function findTools(root: Section): Found {
  const found: Found = { tools: [], prose: [] }
  collect(root, found)
  return found
}

function collect(section: Section, found: Found) {
  const inner: Found = { tools: [], prose: [] }
  for (const one of section.sections) collect(one, inner)
  // A section that contains tools is not a tool.
  const tool = inner.tools.length === 0 ? toTool(section) : undefined
  if (tool) found.tools.push(tool)
  else {
    found.prose.push(section)
    found.tools.push(...inner.tools)
    found.prose.push(...inner.prose)
  }
}

/** The name of a tool, optionally after its toolset. */
const headingForm = /^[A-Za-z][A-Za-z0-9_.-]{0,128}$/

function toTool(section: Section): FoundTool | undefined {
  const { heading } = section
  if (!heading) return undefined
  const [, prefix, name = ''] = /^(?:\d+[.)]\s*)?(tool\s*:\s*)?(\S+)$/i.exec(heading.text.trim()) ?? []
  if (!headingForm.test(name)) return undefined
  const parts = readParts(section)
  // A heading such as "Schema" or "Output" is a part of a tool, unless it is marked as a tool.
  if (toLabel(heading.text) && !parts.some(({ label, inlines }) => label === 'name' && textOf(inlines).trim() !== '')) return undefined // biome-ignore format: one line
  const isDescribed = parts.some(({ label }) => label === 'input' || label === 'output' || label === 'schema')
  return isDescribed || prefix || hasWhole(parts[0]!) ? { name, line: heading.line, parts } : undefined
}

/** A block directly below the heading that may contain the whole contract. */
function hasWhole({ blocks }: Part): boolean {
  return blocks.some((block) => block.kind === 'code' && mayBeWhole(block.text))
}
