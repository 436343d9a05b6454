import { describeGrants } from '../../contract/app-ui.ts'
import { digest } from '../../contract/digest.ts'
import type { JsonObject, JsonValue } from '../../contract/json.ts'
import type { Problem } from '../../contract/tool-error.ts'
import { toMcpTool } from '../../projections/mcp.ts'
import { ToolIndex } from '../../projections/tool-search/tool-index.ts'
import type { Foreseen } from '../../runtime/approval/foresee.ts'
import { createDeferringApprover } from '../../runtime/approval/queue-approvers.ts'
import type { CatalogEntry } from '../../runtime/pipeline/catalog.ts'
import { defaultKeepMs } from '../asking.ts'
import { type Person, toCaller } from '../http/route.ts'
import type { ForeseeResponse, ToolDetail, ToolPage, ToolRow, TryRequest, TryResponse } from './api/tools.ts'
import { type ConsoleParts, type Endpoint, Refusal } from './endpoint.ts'
import { hasRight } from './person.ts'
import { toFileChange } from './questions.ts'
import { readNumber, readText } from './read-query.ts'

export const toolEndpoints: readonly Endpoint[] = [
  { method: 'GET', path: 'tools', right: 'view', handle: ({ query }, { toolpact }) => listTools(toolpact, query) },
  {
    method: 'GET',
    path: 'tools/{id}',
    right: 'view',
    text: 'code',
    handle: ({ params }, { toolpact }) => showTool(toolpact, params.id!),
  },
  {
    method: 'POST',
    path: 'tools/{id}/foresee',
    right: 'view',
    body: 'TryRequest',
    text: 'code',
    handle: ({ params, body, person }, { toolpact }) =>
      foresee(toolpact, { id: params.id!, input: toInput(body), person }),
  },
  {
    method: 'POST',
    path: 'tools/{id}/call',
    right: 'manage',
    body: 'TryRequest',
    text: 'code',
    async handle({ params, body, person, signal }, { toolpact }): Promise<TryResponse> {
      const { id } = await findTool(toolpact, params.id!)
      const approver = createDeferringApprover({ approvals: toolpact.approvals, keepMs: defaultKeepMs })
      const result = await toolpact.call(id, toInput(body), {
        caller: toCaller(person),
        approver,
        signal,
        origin: { surface: 'console' },
      })
      const { callId, durationMs } = result
      if (result.success) return { callId, success: true, output: result.output, durationMs }
      const { code, message, suggestion, problems, approvalId } = result.error
      const error = {
        ...{ code, message, suggestion },
        ...(problems && { problems: problems.map(toProblem) }),
        ...(approvalId !== undefined && { questionId: approvalId }),
      }
      return { callId, success: false, error, durationMs }
    },
  },
]

type Toolpact = ConsoleParts['toolpact']
type Entry = CatalogEntry<never>

async function listTools(toolpact: Toolpact, query: URLSearchParams): Promise<ToolPage> {
  const [text, toolset] = [readText(query, 'text'), readText(query, 'toolset')]
  const offset = readNumber(query, 'offset', { min: 0, max: Number.MAX_SAFE_INTEGER }) ?? 0
  const limit = readNumber(query, 'limit', { max: 500 }) ?? 100
  const all: readonly Entry[] = await toolpact.catalog.all()
  const matching = text === undefined ? all : searchTools(toolpact, all, text)
  const found = matching.filter((entry) => toolset === undefined || entry.toolset === toolset)
  const counts = new Map(all.map((entry) => [entry.toolset, 0]))
  for (const entry of matching) counts.set(entry.toolset, counts.get(entry.toolset)! + 1)
  return {
    tools: found.slice(offset, offset + limit).map((entry) => toRow(toolpact, entry)),
    total: found.length,
    toolsets: [...counts].map(([name, tools]) => ({ name, tools })),
  }
}

const indexes = new WeakMap<Toolpact, ToolIndex<Entry>>()
const maxFound = 1000

/** By words, best first, followed by tools whose id contains the text: a person sees results while typing a word. */
function searchTools(toolpact: Toolpact, all: readonly Entry[], text: string): readonly Entry[] {
  const index = indexes.get(toolpact) ?? new ToolIndex<Entry>()
  indexes.set(toolpact, index)
  index.update(all)
  const part = text.toLowerCase()
  const named = all.filter(({ id }) => id.toLowerCase().includes(part))
  return [...new Set([...index.search(text, maxFound), ...named])]
}

async function showTool(toolpact: Toolpact, id: string): Promise<ToolDetail> {
  const entry = await findTool(toolpact, id)
  const { contract } = entry.tool
  const [totals] = await toolpact.ledger.totals(id)
  const admitted = findServer(toolpact, entry)?.admitted.find(({ tool }) => tool.contract.name === contract.name)
  return {
    ...toRow(toolpact, entry),
    contract: contract as unknown as JsonObject,
    contractDigest: digest(contract),
    servedAs: entry.name,
    calls: {
      total: totals?.calls ?? 0,
      failed: totals?.failed ?? 0,
      refused: totals?.refused ?? 0,
      since: totals?.since ?? null,
    },
    notes: admitted
      ? [
          ...admitted.completed.map(({ message }) => message),
          ...describeGrants(admitted.app?.grants ?? {}).map((grant) => `Its app ${grant}.`),
          ...admitted.flags.map(({ message, excerpt }) => `${message} Found: ${excerpt}`),
          ...(admitted.review ? admitted.review.changes : []),
        ]
      : [],
  }
}

interface Tried {
  readonly id: string
  readonly input: JsonValue
  readonly person: Person
}

async function foresee(toolpact: Toolpact, { id, input, person }: Tried): Promise<ForeseeResponse> {
  await findTool(toolpact, id)
  // A preview shows the content of files, so it needs the right to call the tool.
  const found = hasRight(person, 'manage')
    ? await toolpact.foresee(id, input, { caller: toCaller(person) })
    : await toolpact.rules.test(id, input)
  if ('problems' in found) return { valid: false, problems: found.problems.map(toProblem) }
  const { action, rule, reason } = found.decision
  const { foreseen, error } = 'foreseen' in found ? found : { foreseen: noPreview }
  const { changes, sandbox, problem } = foreseen
  return {
    ...{ valid: true, action, rule, reason },
    changes: changes.map(toFileChange),
    ...(sandbox !== undefined && { sandbox }),
    ...(problem !== undefined && { problem }),
    ...(error && { error: { code: error.code, message: error.message, suggestion: error.suggestion } }),
  }
}

const noPreview: Omit<Foreseen, 'places'> = { changes: [] }

async function findTool({ catalog }: Toolpact, id: string): Promise<Entry> {
  const found = await catalog.find(id)
  if (found.kind === 'found' && found.id === id) return found
  if (found.kind === 'withheld')
    throw new Refusal('not_found', `The tool is withheld. ${found.reasons.join(' ')}`, 'See its server.')
  if (found.kind === 'unavailable')
    throw new Refusal('not_found', `Its server is not available: ${found.fault}`, 'See its server.')
  throw new Refusal('not_found', `There is no tool with the id '${id}'.`, 'Search the tools for it.')
}

function findServer({ upstreams }: Toolpact, { toolset }: Entry) {
  return upstreams.look().find(({ name }) => name === toolset)
}

function toRow(toolpact: Toolpact, entry: Entry): ToolRow {
  const { id, toolset, tool } = entry
  const { title, description, risk, approval, status } = tool.contract
  return {
    ...{ id, title, description, toolset, risk, approval, status },
    isUpstream: findServer(toolpact, entry) !== undefined,
    tokens: countTokens(entry),
  }
}

const tokenCounts = new WeakMap<object, number>()

/** Models read about four characters of JSON as a token. */
function countTokens({ name, tool: { contract } }: Entry): number {
  const count = tokenCounts.get(contract) ?? Math.ceil(JSON.stringify(toMcpTool(name, contract)).length / 4)
  tokenCounts.set(contract, count)
  return count
}

function toProblem({ pointer, message }: Problem) {
  return { pointer, message }
}

function toInput(body: JsonValue): JsonValue {
  return (body as unknown as TryRequest).input
}
