import type { ContractSource } from '../../contract/contract.ts'
import { contractSchema } from '../../contract/contract-schema.ts'
import { lintContract } from '../../contract/lint-contract.ts'
import { compileSchema } from '../../contract/schema/compile-schema.ts'
import { fromContractSet } from '../../projections/contracts.ts'
import { outline } from './read/block.ts'
import type { Draft, Finding, Note } from './read/draft.ts'
import { findTools } from './read/find-tools.ts'
import { readBlocks } from './read/read-blocks.ts'
import { readTables } from './read/read-errors.ts'
import { readProse } from './read/read-prose.ts'
import { completeDraft, readTool } from './read/read-tool.ts'

export type { Finding } from './read/draft.ts'

/** A contract read from a document. */
export interface DocumentedContract {
  /** `toolset.name` if the document names the toolset, otherwise the name. */
  readonly id: string
  readonly toolset?: string
  readonly source: ContractSource
  /** The line of its heading. */
  readonly line: number
  /** JSON pointers to required parts that the document omits. */
  readonly assumed: readonly string[]
  /** The line of a part of the contract. */
  readonly lineOf: (pointer: string) => number
}

interface ReadDocument {
  readonly contracts: readonly DocumentedContract[]
  /** By line. */
  readonly report: readonly Finding[]
}

interface ReadOptions {
  /** Whether to lint the contracts as well. */
  readonly lint?: boolean
}

/** Max tools read from one document. */
const maxTools = 500
/** Max reported findings. */
const maxFindings = 5000

/**
 * Reads contracts from a Markdown document: headings with tool names, lists such as `- status: active`, JSON blocks of input,
 * output and errors, and lists of constraints. The text is untrusted; this never throws, whatever it contains.
 */
export async function fromMarkdown(text: string, { lint = true }: ReadOptions = {}): Promise<ReadDocument> {
  const report: Finding[] = []
  const note: Note = (finding) => {
    if (report.length < maxFindings) report.push(finding)
  }
  let contracts: DocumentedContract[] = []
  try {
    contracts = await readContracts(text, note, lint)
  } catch (cause) {
    const message = `The document cannot be read: ${(cause as Error).message}`
    note({ line: 1, kind: 'wrong', code: 'unreadable', severity: 'error', message })
  }
  return { contracts, report: report.toSorted((one, other) => one.line - other.line || rankOf(one) - rankOf(other)) }
}

/** Sorts by line, with the discovery of a tool before its other findings. */
function rankOf({ kind }: Finding): number {
  return kind === 'taken' ? 0 : 1
}

async function readContracts(text: string, note: Note, lint: boolean): Promise<DocumentedContract[]> {
  const { blocks, lines } = readBlocks(text, note)
  const found = findTools(outline(blocks))
  for (const { line } of found.tools.slice(maxTools))
    note({ line, kind: 'left', code: 'too-many', message: `Only ${maxTools} tools are read from a document.` })
  const drafts = found.tools.slice(0, maxTools).flatMap((tool) => readTool(tool, note) ?? [])
  for (const section of found.prose) readProse(section, lines, note)
  readTables(blocks, drafts, note)
  const contracts = new Map<string, DocumentedContract>()
  for (const draft of drafts) {
    completeDraft(draft)
    const contract = await toContract(draft, lint)
    if (!contract) continue
    const first = contracts.get(draft.id)
    if (first) {
      const message = `There is a contract of ${draft.id} in line ${first.line} already. This one was left out.`
      draft.note({ line: draft.line, kind: 'wrong', code: 'tool-twice', severity: 'error', message, fix: 'Keep one.' })
    } else contracts.set(draft.id, contract)
  }
  return [...contracts.values()]
}

async function toContract(draft: Draft, lint: boolean): Promise<DocumentedContract | undefined> {
  const source = toSource(draft)
  const problems = (await compileSchema(contractSchema)).validate(source)
  for (const { pointer, message } of problems) {
    const line = draft.lineOf(pointer)
    draft.note({ line, kind: 'wrong', code: 'contract-invalid', severity: 'error', pointer, message })
  }
  if (problems.length > 0) return undefined
  const { [draft.name]: contract } = await fromContractSet([source])
  const fields = Object.keys(source).filter((field) => field !== 'name' && !draft.assumed.includes(`/${field}`))
  draft.note({ line: draft.line, kind: 'taken', code: 'tool', message: `Taken: ${fields.join(', ') || 'the name'}.` })
  for (const { pointer, message, rule, fix, severity } of lint ? await lintContract(contract!) : []) {
    if (draft.isAssumed(pointer)) continue
    draft.note({ line: draft.lineOf(pointer), kind: 'wrong', code: rule, severity, pointer, message, fix })
  }
  return {
    id: draft.id,
    ...(draft.toolset !== undefined && { toolset: draft.toolset }),
    source: source as unknown as ContractSource,
    line: draft.line,
    assumed: draft.assumed,
    lineOf: (pointer) => draft.lineOf(pointer),
  }
}

const fields = ['title', 'description', 'version', 'status', 'transport', 'endpoint', 'risk', 'approval', 'summary', 'constraints', 'input', 'output', 'errors', 'limits', 'effects', 'examples'] as const // biome-ignore format: one line

/** In conventional order. */
function toSource({ name, source }: Draft) {
  return Object.fromEntries([
    ['name', name],
    ...fields.filter((field) => source[field] !== undefined).map((field) => [field, source[field]!]),
  ])
}
