import { type Contract, toReturnedKinds } from '../../contract/contract.ts'
import type { JsonObject } from '../../contract/json.ts'
import type { Caller } from '../../contract/tool.ts'
import { ToolError } from '../../contract/tool-error.ts'
import { ToolpactError } from '../../contract/toolpact-error.ts'
import { sendsOut, toReceivers, withAddress } from '../../policy/data-flow.ts'
import { decide, type Policy } from '../../policy/decide.ts'
import type { PolicyCall } from '../../policy/policy-call.ts'
import { type Judged, toEffects } from '../approval/approval-request.ts'
import { toTarget } from '../approval/texts.ts'
import type { DataFlows } from './data-flows.ts'
import type { MayReach } from './pipeline-options.ts'
import type { Report } from './report.ts'
import { Stop } from './stop.ts'
import type { Trace } from './trace.ts'
import { whenReady } from './when-ready.ts'

interface FollowOptions {
  readonly flows: DataFlows | undefined
  readonly policy: (toolId: string) => Policy | Promise<Policy>
  readonly report: Report
  readonly inSession: (caller: Caller) => Caller
}

/**
 * Decides about calls by what their session has read and where they send data, and records both. Nothing is looked up or
 * stored for tools and policies that do not need it.
 */
export function createDataFollower({ flows, policy, report, inSession }: FollowOptions) {
  function judge(trace: Trace, asked: PolicyCall): Judged | Promise<Judged> {
    return whenReady(findPolicy(trace), (current) => {
      trace.policyVersion = current.version
      trace.followsData = flows !== undefined && current.followsData === true
      const { effects } = asked.contract
      if (needsFlow(trace, effects) && sendsOut(effects)) return judgeFlow(trace, asked, current)
      return { decision: decide(asked, current), version: current.version ?? '' }
    })
  }

  function findPolicy(trace: Trace): Policy | Promise<Policy> {
    const found = policy(trace.toolId)
    if (!(found instanceof Promise)) return found
    // Rules that are stored in a database cannot be read while it fails.
    return found.catch((cause) => {
      const isGone = cause instanceof ToolpactError && cause.code === 'storage_unavailable'
      throw isGone ? toUnkept(trace, 'its rules could not be read', cause) : cause
    })
  }

  async function judgeFlow(trace: Trace, asked: PolicyCall, current: Policy): Promise<Judged> {
    const found = await look(trace)
    // Hosts that a person allowed count even if the policy does not follow data.
    const flow = trace.followsData ? found : { ...found, taken: { private: [], untrusted: [] } }
    return { decision: decide({ ...asked, flow }, current), version: current.version ?? '' }
  }

  function needsFlow({ followsData }: Trace, { askPerHost }: Contract['effects']): boolean {
    return followsData === true || (flows !== undefined && askPerHost === true)
  }

  async function look(trace: Trace) {
    try {
      return await flows!.look(inSession(trace.caller))
    } catch (cause) {
      throw toUnkept(trace, 'what its session has read could not be looked up', cause)
    }
  }

  function toUnkept(trace: Trace, failure: string, cause: unknown): Stop {
    report(trace, { kind: 'check_failed', message: `The call did not run: ${failure}.`, raw: cause })
    return Stop.at('ledger_unavailable', `'${trace.calledAs}' did not run: ${failure}.`)
  }

  /** If it cannot be stored, this process still knows it. */
  async function keep(trace: Trace, keeping: Promise<void>) {
    await keeping.catch((cause) => {
      const message = 'What the session has read, or was allowed, could not be kept.'
      report(trace, { kind: 'check_failed', message, raw: cause })
    })
  }

  return {
    judge,
    /** A redirect to another origin is followed only if a call with that URL would run without asking. */
    toMayReach(trace: Trace, { effects }: Contract, asked: () => PolicyCall): MayReach | undefined {
      if (!effects.fetches?.length) return undefined
      return async (url) => (await judge(trace, withAddress(asked(), url.href))).decision.action === 'allow'
    },
    /** Approving a call approves its receivers for the session. */
    async allow(trace: Trace, contract: Contract) {
      const receivers = needsFlow(trace, contract.effects)
        ? toReceivers({ contract, input: trace.input as JsonObject })
        : []
      if (receivers.length > 0) await keep(trace, flows!.allow(inSession(trace.caller), receivers))
    },
    /** Errors may contain untrusted text too; private data comes only with an output. */
    async takeIn(trace: Trace, contract: Contract, returned: unknown) {
      const all = toReturnedKinds(contract.effects)
      const kinds = returned instanceof ToolError ? all.filter((kind) => kind === 'untrusted') : all
      if (kinds.length === 0) return
      const source = toTarget(toEffects(contract, trace.input as JsonObject)) || contract.name
      await keep(trace, flows!.take(inSession(trace.caller), kinds, source))
    },
  }
}
