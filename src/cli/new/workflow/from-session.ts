import { type ChatEntry, fromKept, type ResultEntry } from '../../../agent/chat/chat-entry.ts'
import type { Toolpact } from '../../../app/app.ts'
import { canonicalJson } from '../../../contract/canonical-json.ts'
import { isObject, type JsonObject, type JsonValue } from '../../../contract/json.ts'
import { parseJson } from '../../../contract/schema/parse-json.ts'
import { UsageError } from '../../options/command.ts'
import { findSession } from '../../sessions.ts'
import type { DraftCall } from './to-document.ts'

/** The calls of a session, or a run of an agent, that succeeded and were not undone, in order. */
export interface Recorded {
  readonly calls: readonly DraftCall[]
  /** Calls that failed, were refused or undone, or whose tool is gone. */
  readonly left: number
}

/** Reads what a session of `toolpact chat` did. Its values are in the session: the ledger keeps no outputs. */
export async function fromSession(toolpact: Toolpact, start: string): Promise<Recorded> {
  const { id } = await findSession(toolpact.sessions, start)
  const entries = fromKept(await toolpact.sessions.read(id))
  const undone = new Set(entries.flatMap((entry) => (entry.kind === 'undo' ? [entry.step] : [])))
  const results = entries.filter((entry) => entry.kind === 'result')
  const read = await Promise.all(
    results.map((result) => (undone.has(result.step) ? undefined : toCall(toolpact, result, entries))),
  )
  const calls = read.filter((call) => call !== undefined)
  if (calls.length === 0)
    throw new UsageError(`No call of the session ${id.slice(0, 8)} can be a step.`, `Look at it with: toolpact sessions show ${id.slice(0, 8)}`) // biome-ignore format: one line
  return { calls, left: results.length - calls.length }
}

async function toCall(
  { catalog, ledger }: Toolpact,
  result: ResultEntry,
  entries: readonly ChatEntry[],
): Promise<DraftCall | undefined> {
  const { tool, callId, success, step, id } = result
  if (!success || tool === null || callId === null) return undefined
  const found = await catalog.find(tool)
  const given = readInput(entries, step, id)
  if (found.kind !== 'found' || !given) return undefined
  const [intent] = (await ledger.read({ callId })).map(({ record }) => record).filter(({ kind }) => kind === 'intent')
  const recorded = intent?.kind === 'intent' ? intent.input : null
  const output = readOutput(result.data)
  return {
    tool: found.id,
    contract: found.tool.contract,
    given,
    secret: new Set(Object.keys(given).filter((name) => !isSame(given[name], isObject(recorded) ? recorded[name] : undefined))), // biome-ignore format: one line
    ...(output !== undefined && { output }),
  }
}

function readInput(entries: readonly ChatEntry[], step: number, id: string): JsonObject | undefined {
  const answer = entries.find((entry) => entry.kind === 'answer' && entry.step === step)
  const call = answer?.kind === 'answer' ? answer.calls.find((one) => one.id === id) : undefined
  const parsed = call && parseJson(call.arguments, limits)
  return parsed?.ok && isObject(parsed.value) ? parsed.value : undefined
}

/** Undefined if it was too long to be kept as JSON. */
function readOutput(data: string): JsonValue | undefined {
  const parsed = parseJson(data, limits)
  return parsed.ok && isObject(parsed.value) ? parsed.value.output : undefined
}

const limits = { maxBytes: 16_777_216, maxDepth: 64 }

/** What the ledger has differs where a secret was removed. */
function isSame(one: JsonValue | undefined, other: JsonValue | undefined): boolean {
  return one !== undefined && other !== undefined && canonicalJson(one) === canonicalJson(other)
}
