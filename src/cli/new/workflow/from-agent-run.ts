import type { Toolpact } from '../../../app/app.ts'
import { isObject } from '../../../contract/json.ts'
import { findRecordedCall } from '../../ledger/show.ts'
import { UsageError } from '../../options/command.ts'
import type { Recorded } from './from-session.ts'
import type { DraftCall } from './to-document.ts'

/** Reads what a run of an agent did, such as that of `toolpact ask`, from the ledger: which has no outputs and no secrets. */
export async function fromAgentRun(toolpact: Toolpact, start: string): Promise<Recorded> {
  const { callId, entries } = await findRecordedCall(toolpact.ledger, start)
  const made = entries
    .map(({ record }) => record)
    .filter((record) => record.kind === 'step')
    .filter(({ stage }) => stage === 'call')
    .map((record) => ({ id: record.details.callId, passed: record.passed }))
  const read = await Promise.all(made.map(({ id, passed }) => (passed && typeof id === 'string' ? toCall(toolpact, id) : undefined))) // biome-ignore format: one line
  const calls = read.filter((call) => call !== undefined)
  if (calls.length === 0)
    throw new UsageError(`${callId.slice(0, 8)} is no session, and no run of an agent whose calls can be steps.`, 'Run `toolpact sessions` to list sessions, and `toolpact ledger --tool agent.ask` for questions of toolpact ask.') // biome-ignore format: one line
  return { calls, left: made.length - calls.length }
}

async function toCall({ catalog, ledger }: Toolpact, callId: string): Promise<DraftCall | undefined> {
  const [intent] = (await ledger.read({ callId })).map(({ record }) => record).filter(({ kind }) => kind === 'intent')
  if (intent?.kind !== 'intent' || !isObject(intent.input)) return undefined
  const given = intent.input
  const found = await catalog.find(intent.tool)
  if (found.kind !== 'found') return undefined
  const isSecret = (name: string) => JSON.stringify(given[name]).includes('[redacted')
  return {
    tool: found.id,
    contract: found.tool.contract,
    given,
    secret: new Set(Object.keys(given).filter(isSecret)),
  }
}
