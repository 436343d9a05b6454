import type { JsonObject } from '../contract/json.ts'
import { printableJson } from '../contract/text/printable.ts'
import type { Tool } from '../contract/tool.ts'
import { toSummary } from '../projections/summary.ts'
import { toCount } from '../runtime/approval/text/rows.ts'
import { type Command, commandCaller, UsageError } from './options/command.ts'
import { toColumns } from './terminal/columns.ts'
import { exitCodes } from './terminal/exit-codes.ts'
import { printWithheld } from './terminal/print-withheld.ts'
import { type Line, type Part, paint, type Terminal } from './terminal/terminal.ts'

export const list: Command = {
  usage: ['list [--toolset NAME] [--search WORDS]'],
  about: `Lists the tools by toolset, with their risk, approval, access and side effects.`,
  options: {
    search: { type: 'string', value: 'WORDS', about: 'only tools that match these words, best match first' },
  },
  examples: [
    ['toolpact list --toolset learning', 'the tools of one toolset'],
    ['toolpact list --search "create an issue"', 'search for tools'],
  ],
  pages: () => true,
  async run({ positionals, options, terminal, open }) {
    const [name] = positionals
    if (name !== undefined)
      throw new UsageError(`list takes no name, but got '${name}'.`, `Did you mean toolpact show ${name}?`)
    // Nothing is called, so nothing is recorded.
    const toolpact = await open({ storage: 'memory' })
    try {
      // Most configs have no servers; skip loading the code that waits for them.
      const servers = toolpact.upstreams.look().length > 0 ? await import('./terminal/wait-for-servers.ts') : undefined
      const statuses = (await servers?.waitForServers(toolpact, terminal)) ?? []
      const all = await toolpact.catalog.all(commandCaller)
      const entries = options.search === undefined ? all : await searchTools(all, options.search)
      await printWithheld(toolpact, terminal)
      if (options.json) terminal.print(printableJson(entries.map(toJson)))
      else {
        printTools(entries, terminal)
        if (options.search === undefined) printOffers(await toolpact.catalog.offers(commandCaller), terminal)
      }
      servers?.printWithheldCounts(statuses, terminal)
      return exitCodes.success
    } finally {
      await toolpact.close()
    }
  },
}

const maxFound = 20

async function searchTools<Entry extends Listed>(entries: readonly Entry[], words: string): Promise<Entry[]> {
  const { ToolIndex } = await import('../projections/tool-search/tool-index.ts')
  const index = new ToolIndex<Entry>()
  index.update(entries)
  return index.search(words, maxFound)
}

export interface Listed {
  readonly id: string
  readonly toolset: string
  readonly tool: Pick<Tool, 'contract' | 'claimsToRead' | 'workflow'>
}

/** One line per tool, grouped by toolset. */
export function printTools(entries: readonly Listed[], terminal: Terminal): void {
  // What a tool does matters more than how its contract sums it up.
  const options = { width: terminal.columns, drop: [4, 3, 2], minLast: 36 }
  const [head, ...rows] = toColumns([header, ...entries.map(toRow)], options)
  if (entries.length === 0) return
  terminal.print(
    head!,
    ...entries.flatMap(({ toolset }, index): Line[] => {
      if (toolset === entries[index - 1]?.toolset) return [rows[index]!]
      return [...(index > 0 ? [''] : []), paint('bold', toolset), rows[index]!]
    }),
  )
}

/** One line per prompt and resource of MCP clients. */
function printOffers(entries: readonly Listed[], terminal: Terminal): void {
  if (entries.length === 0) return
  const rows = entries.map(({ id, tool }) => [`  ${id}`, toFirstSentence(tool.contract.description)])
  terminal.print('', paint('bold', 'prompts and resources'), ...toColumns(rows, { width: terminal.columns }))
}

const header = ['  tool', 'risk', 'approval', 'access', 'side effects', ''].map((name) => paint('dim', name))

function toRow({ id, tool: { contract, claimsToRead, workflow } }: Listed): Part[] {
  const { risk, status, description } = contract
  const { access, sideEffects, approvalRequired } = toSummary(contract)
  return [
    `  ${id}`,
    paint(risk === 'read_only' ? 'green' : risk === 'safe_write' ? 'yellow' : 'red', risk),
    approvalRequired ? 'asks' : 'never asks',
    access,
    sideEffects,
    `${status === 'active' ? '' : `(${status}) `}${claimsToRead ? '(claims read_only) ' : ''}${workflow ? `(workflow, ${toCount(stepsOf(workflow).length, 'step')}) ` : ''}${toFirstSentence(description)}`,
  ]
}

function toFirstSentence(text: string): string {
  return /^.*?[.!?](?=\s+\p{Lu}|$)/su.exec(text)?.[0] ?? text
}

/** The document of a workflow is checked before it is served. */
function stepsOf({ steps }: JsonObject): readonly JsonObject[] {
  return steps as JsonObject[]
}

function toJson({ id, toolset, tool: { contract, claimsToRead, workflow } }: Listed) {
  const { name, title, description, version, status, transport, endpoint, risk, approval } = contract
  const summary = toSummary(contract)
  return {
    id,
    toolset,
    name,
    title,
    description,
    version,
    status,
    transport,
    endpoint,
    risk,
    approval,
    ...(claimsToRead && { claimsToRead }),
    ...(workflow && { steps: stepsOf(workflow).map(({ id, tool = null }) => ({ id, tool })) }),
    summary,
  }
}
