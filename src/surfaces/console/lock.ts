import type { Toolpact } from '../../app/app.ts'
import type { LockReview, ServerReview, ToolReview } from '../../app/lock.ts'
import { canonicalJson } from '../../contract/canonical-json.ts'
import { isObject, type JsonObject, type JsonValue } from '../../contract/json.ts'
import { ToolpactError } from '../../contract/toolpact-error.ts'
import { driftWords } from '../../host/lock/drift.ts'
import { toDiff } from '../../runtime/approval/diff.ts'
import type { ToolTotals } from '../../runtime/storage/storage.ts'
import type { DiffLine } from './api/questions.ts'
import type { ActionResponse } from './api/rules.ts'
import type { LockDecision, LockedTool, LockResponse } from './api/servers.ts'
import { type ConsoleParts, type Endpoint, Refusal } from './endpoint.ts'
import { compareServers, forgetComparison, isReplaced, type Refused, readRefused, refuseChanges } from './reviews.ts'

export const lockEndpoints: readonly Endpoint[] = [
  { method: 'GET', path: 'lock', right: 'view', text: 'code', handle: (_asked, { toolpact }) => showLock(toolpact) },
  {
    method: 'POST',
    path: 'lock/decide',
    right: 'manage',
    body: 'LockDecision',
    handle: ({ person, body }, parts) => decide(parts, body as unknown as LockDecision, person.name),
  },
]

async function showLock(toolpact: Toolpact): Promise<LockResponse> {
  const review = await compare(toolpact)
  const [refused, totals] = await Promise.all([readRefused(toolpact), toolpact.ledger.totals()])
  const totalsByTool = new Map(totals.map((total) => [total.tool, total]))
  const showServer = async (server: ServerReview): Promise<LockResponse['servers'][number]> => {
    const { name, state, fault, digest } = server
    return {
      name,
      state,
      ...(fault !== undefined && { fault }),
      identity: toIdentity(server, refused),
      ...(digest !== undefined && { digest }),
      tools: await Promise.all(
        server.tools.map((tool) => showTool(tool, { refused, total: totalsByTool.get(`${name}.${tool.name}`) })),
      ),
    }
  }
  return { path: review.path, exists: review.isThere, servers: await Promise.all(review.servers.map(showServer)) }
}

function toIdentity(server: ServerReview, refused: Refused): string[] {
  const changes =
    server.state === 'left'
      ? ['It is in the lock, but no longer in the config.', 'Accepting removes it from the lock.']
      : server.identity.filter(({ weight }) => weight !== 'note').map(({ message }) => message)
  const by = server.digest === undefined ? undefined : refused.get(server.digest)?.by
  return changes.length === 0 || by === undefined ? changes : [...changes, `Left as accepted by ${by}.`]
}

interface Shown {
  readonly refused: Refused
  readonly total: ToolTotals | undefined
}

async function showTool(tool: ToolReview, { refused, total }: Shown): Promise<LockedTool> {
  const { name, state, drift, digest, changes, refusals, flags, accepted, definition } = tool
  const by = digest === undefined ? undefined : refused.get(digest)?.by
  const isSame = state === 'same'
  const after = state === 'gone' ? undefined : definition
  // No change of a definition that tries to instruct the model is called harmless.
  const harmless = flags.length > 0 || drift === 'instructs' ? 'flagged' : 'compatible'
  return {
    name,
    state: by === undefined ? state : 'refused',
    ...(drift && { drift: `The new definition ${driftWords[drift]}.` }),
    ...(digest !== undefined && { digest }),
    changes: [
      ...changes.map(({ breaking, message }) => ({ severity: breaking ? 'breaking' : harmless, message })),
      ...refusals.map((message) => ({ severity: 'withheld', message })),
    ],
    ...(accepted && !isSame && { before: accepted }),
    ...(after && !isSame && { after }),
    words: isSame ? [] : await compareTexts(toWords(accepted), toWords(after)),
    schema: isSame ? [] : await compareTexts(toSchemas(accepted), toSchemas(after)),
    flags,
    calledBy: total?.callers ?? [],
    ...(by !== undefined && { refusedBy: by }),
  }
}

async function compareTexts(before: string, after: string): Promise<DiffLine[]> {
  if (before === after) return []
  const { lines } = await toDiff(before, after)
  const kinds = { same: 'same', added: 'added', removed: 'removed', place: 'gap', note: 'gap' } as const
  return lines.map(({ kind, text }) => ({ kind: kinds[kind], text }))
}

/** Every title and description, with its place. What is not in here is in `toSchemas`, so that no change is left out. */
function toWords(definition: JsonObject | undefined): string {
  const lines: string[] = []
  const collect = (value: JsonValue | undefined, pointer: string) => {
    if (Array.isArray(value)) for (const [index, item] of value.entries()) collect(item, `${pointer}/${index}`)
    if (!isObject(value)) return
    for (const key of Object.keys(value).sort()) {
      const inner = value[key]
      if (isWords(key, inner)) lines.push(`${pointer}/${key}`, ...inner.split('\n').map((line) => `  ${line}`))
      else collect(inner, `${pointer}/${key}`)
    }
  }
  collect(definition, '')
  return lines.map((line) => `${line}\n`).join('')
}

/** The definition without its words, with sorted keys. */
function toSchemas(definition: JsonObject | undefined): string {
  if (!definition) return ''
  const bare = (value: JsonValue): JsonValue => {
    if (Array.isArray(value)) return value.map(bare)
    if (!isObject(value)) return value
    const kept = Object.entries(value).filter(([key, inner]) => !isWords(key, inner))
    return Object.fromEntries(kept.map(([key, inner]) => [key, bare(inner!)]))
  }
  return `${JSON.stringify(JSON.parse(canonicalJson(bare(definition))), null, 2)}\n`
}

/** A property that is called so has a schema, not a text. */
function isWords(key: string, value: JsonValue | undefined): value is string {
  return (key === 'description' || key === 'title') && typeof value === 'string'
}

async function decide({ toolpact, onDecision }: ConsoleParts, decision: LockDecision, by: string) {
  const { server, tool, digest } = decision
  const name = tool === undefined ? server : `${server}.${tool}`
  forgetComparison(toolpact)
  const message =
    decision.decision === 'accept'
      ? await accept(toolpact, { server, ...(tool !== undefined && { tool }), digest }, by)
      : await refuse(toolpact, decision, by)
  forgetComparison(toolpact)
  for (const listener of onDecision) listener(server)
  return { message: `${name} ${message}` } satisfies ActionResponse
}

async function accept(toolpact: Toolpact, shown: Omit<LockDecision, 'decision'>, by: string): Promise<string> {
  const outcome = await toolpact.lock.accept(shown, by).catch(refuseLock)
  if (outcome === 'changed') throw changedAgain()
  await toolpact.upstreams.readmit()
  return `was accepted into ${await toolpact.lock.pathOf(shown.server)}.`
}

async function refuse(toolpact: Toolpact, { server, tool, digest }: LockDecision, by: string): Promise<string> {
  const found = (await compare(toolpact)).servers.find(({ name }) => name === server)
  const tools = found?.tools.filter(({ name, digest }) => digest && (tool === undefined || name === tool)) ?? []
  const shown = tool === undefined ? found?.digest : tools[0]?.digest
  if (!found || shown !== digest) throw changedAgain()
  await refuseChanges(toolpact, [digest, ...tools.map((tool) => tool.digest!)], by)
  if (tool === undefined && isReplaced(found)) return 'is left as it was accepted.'
  return 'is left as it was accepted, until it changes again.'
}

function changedAgain(): Refusal {
  return new Refusal('conflict', 'It is not what was shown, or has changed again since.', 'Review it again.')
}

function compare(toolpact: Toolpact): Promise<LockReview> {
  return compareServers(toolpact).catch(refuseLock)
}

function refuseLock(cause: unknown): never {
  throw cause instanceof ToolpactError ? new Refusal('conflict', cause.message) : cause
}
