import type { IncomingMessage } from 'node:http'
import type { CallResult } from '../../contract/call-result.ts'
import type { RunFollow } from '../../contract/run-part.ts'
import type { Caller } from '../../contract/tool.ts'
import { toRunDetailsJson } from '../run-json.ts'
import { isPending } from '../run-result.ts'
import type { Served } from '../served.ts'
import { type Answer, toAnswer } from './answer.ts'

/** A workflow that has not ended by then is answered with 202. */
const defaultWaitMs = 5000
const maxWaitMs = 300_000

interface StartedRun {
  readonly run: RunFollow
  toAnswer(result: CallResult): Promise<Answer>
}

/** Calls of workflows: a run that does not end soon is answered with 202 and its address. */
export function createStartedRuns({ catalog, runs }: Pick<Served, 'catalog' | 'runs'>) {
  /** Undefined if the tool is not a workflow. */
  async function begin({ headers }: IncomingMessage, name: string, caller: Caller): Promise<StartedRun | undefined> {
    const found = catalog.findLoaded(name, caller) ?? (await catalog.find(name, caller))
    if (!runs || found.kind !== 'found' || !found.tool.workflow) return undefined
    const waitMs = readWait(headers.prefer)
    const detach = new AbortController()
    const onStart = () => void setTimeout(() => detach.abort(), waitMs).unref()
    return {
      run: { onStart, detach: detach.signal },
      async toAnswer(result) {
        const run = isPending(result) ? await runs.find(result.callId) : undefined
        if (!run) return toAnswer(result)
        const { callId } = result
        return { status: 202, body: JSON.stringify(toRunDetailsJson(run)), callId, location: `/v1/runs/${callId}` }
      },
    }
  }

  return { begin }
}

/** RFC 7240: `respond-async` alone waits for nothing, `wait=N` for so many seconds. Other preferences are ignored. */
export function readWait(prefer: string | readonly string[] | undefined): number {
  const preferences = [prefer ?? []].flat().join(',').split(',').map((text) => text.split(';')[0]!.trim().toLowerCase()) // biome-ignore format: one line
  const seconds = preferences.map((text) => /^wait\s*=\s*"?(\d{1,6})"?$/.exec(text)?.[1]).find((text) => text !== undefined) // biome-ignore format: one line
  if (seconds !== undefined) return Math.min(Number(seconds) * 1000, maxWaitMs)
  return preferences.includes('respond-async') ? 0 : defaultWaitMs
}
