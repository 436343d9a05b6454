import type { CallResult } from '../../contract/call-result.ts'
import { canonicalJson } from '../../contract/canonical-json.ts'
import type { Contract, Limits } from '../../contract/contract.ts'
import { digestText } from '../../contract/digest.ts'
import { toPipelineError } from '../../contract/error-codes.ts'
import { takeEvidenceToKeep } from '../../contract/evidence.ts'
import type { JsonObject } from '../../contract/json.ts'
import { reservedRuleIds } from '../../contract/rule.ts'
import type { PartCall } from '../../contract/run-part.ts'
import { boundJson } from '../../contract/schema/bound-json.ts'
import type { Caller, Tool, ToolContext } from '../../contract/tool.ts'
import { type ErrorData, ToolError } from '../../contract/tool-error.ts'
import { ToolpactError } from '../../contract/toolpact-error.ts'
import type { Policy } from '../../policy/decide.ts'
import type { Judged } from '../approval/approval-request.ts'
import { toApprovalStop } from '../approval/approval-stop.ts'
import { approveCall } from '../approval/approve-call.ts'
import { denyAll } from '../approval/approver.ts'
import { useApproval } from '../approval/consume-answer.ts'
import { createPendingInputs } from '../approval/pending-inputs.ts'
import type { Call } from './call.ts'
import { toInputError, withKnownNames } from './caller-errors.ts'
import { checkFailure, checkOutput, findInputProblems, maxDepth, toReturned } from './check-returned.ts'
import { createDataFollower } from './follow-data.ts'
import { toGrantee, toInner, withQuestion } from './inner-calls.ts'
import { createLimiters } from './limiter.ts'
import { pace } from './pace.ts'
import type { PipelineOptions } from './pipeline-options.ts'
import { createQueryFinder, takeQuery } from './queries.ts'
import { createReport } from './report.ts'
import { toResolveError } from './resolve-error.ts'
import { runBounded, TimedClient, TimeoutHold } from './run-bounded.ts'
import { takeShared } from './shared-queries.ts'
import { Stop } from './stop.ts'
import { toEvidence } from './to-evidence.ts'
import { inSession, toPolicyCall } from './to-policy-call.ts'
import { notify, Trace, toNotes, toProgress } from './trace.ts'
import { fail, validateCall } from './validate-call.ts'
import { whenReady } from './when-ready.ts'

export interface Pipeline {
  /** Runs a call. Never rejects: failures are results. */
  call(call: Call): Promise<CallResult>
}

/**
 * The only code path that runs a tool: twelve steps, one after another. Each step reads and extends the `Trace`, and ends
 * the call by throwing a `Stop`. Invariants: the order of the steps is a security property (docs/how-it-works.md gives the
 * reason for each position); what is not recorded does not run; the caller sees only what the contract allows. It is hard
 * because every step can be cancelled, denied or fail, and each of these must still end in exactly one ledger record.
 */
export function createPipeline<Capabilities>(options: PipelineOptions<Capabilities>): Pipeline {
  const { catalog, storage, redact, policy = noPolicy, saveRule = noPlaceForRules } = options
  const limiterOf = createLimiters()
  const report = createReport(options.onViolation)
  const around = { catalog, report }
  const ofSession = (caller: Caller) => inSession(caller, options.session)
  const follower = createDataFollower({ flows: options.flows, policy, report, inSession: ofSession })
  const pending = createPendingInputs()
  const findQuery = createQueryFinder(() => options.steps?.() ?? {})

  async function runCall(call: Call): Promise<CallResult> {
    const trace = new Trace(call, options.observe?.isIdle ? undefined : options.observe)
    try {
      // A step returns a promise only if it must wait: awaiting what is there takes a quarter of a call's memory (0243).
      const resolved = resolve(trace)
      const tool = resolved instanceof Promise ? await resolved : resolved
      const turn = pace('validate', bound(trace, tool.contract))
      if (turn) await turn
      const validated = validateInput(trace, tool.contract)
      const input = validated instanceof Promise ? await validated : validated
      const taking = takeStep(trace)
      if (taking) await taking
      if (tool.contract.limits.calls) await takeRate(trace, tool.contract.limits.calls)
      else trace.skip('rate')
      const decided = decideCall(trace, tool.contract)
      const judged = decided instanceof Promise ? await decided : decided
      const isAsked = judged.decision.action === 'ask'
      if (tool.validate && (isAsked || !tool.checkedByRun)) await check(trace, tool)
      else trace.skip('check')
      if (isAsked) await approve(trace, tool, judged)
      else trace.skip('approve')
      await recordIntent(trace, tool.contract)
      const returned = await run(trace, tool, input)
      if (trace.followsData) await follower.takeIn(trace, tool.contract, returned)
      const checked = validateOutput(trace, returned)
      const output = checked instanceof Promise ? await checked : checked
      return await recordOutcome(trace, { output })
    } catch (cause) {
      return recordOutcome(trace, { error: toError(trace, cause) })
    }
  }

  /** 1: unknown, ambiguous, withheld and planned tools stop here, and those that the token's scopes do not cover. */
  function resolve(trace: Trace): Tool<Capabilities> | Promise<Tool<Capabilities>> {
    trace.begin('resolve')
    const { calledAs: name, caller } = trace
    return whenReady(catalog.findLoaded(name, caller) ?? catalog.find(name, caller), (found) => {
      if (found.kind === 'found' || found.kind === 'withheld') trace.toolId = found.id
      if (found.kind !== 'found') throw new Stop(toResolveError(name, found))
      if (found.tool.forApps && trace.call.forModel) throw new Stop(toResolveError(name, { kind: 'unknown' }))
      trace.entry = found
      if (found.tool.contract.status === 'planned')
        throw Stop.at('tool_planned', `'${name}' is planned and cannot be called yet.`)
      const { risk } = found.tool.contract
      const scope = caller.lacks?.[risk]
      if (scope !== undefined)
        throw Stop.at('scope_required', `'${name}' is ${risk} and needs a token with the scope ${scope}.`, { scope })
      trace.pass()
      return found.tool
    })
  }

  /** 2: copies the input, bounded in size and depth. Later steps use only the copy. */
  function bound(trace: Trace, { limits }: Contract): number {
    trace.begin('bound')
    const bounded = boundJson(trace.call.input, { maxBytes: limits.inputBytes, maxDepth })
    if (!bounded.ok) {
      const { pointer, message, reason } = bounded
      if (reason !== 'not_json') throw Stop.at('input_too_large', message)
      throw Stop.at('invalid_input', message, { problems: [{ pointer, keyword: reason, expected: 'JSON', message }] })
    }
    trace.input = bounded.value
    trace.pass()
    return bounded.bytes
  }

  /** 3: validates the input and sets defaults. Later steps never see input that the contract does not allow. */
  function validateInput(trace: Trace, contract: Contract): JsonObject | Promise<JsonObject> {
    trace.begin('input')
    const mismatch = trace.call.inspect?.(contract, trace.input)
    if (mismatch !== undefined) throw Stop.at('invalid_input', mismatch)
    return whenReady(findInputProblems(contract, trace.input), (problems) => {
      if (problems.length > 0)
        throw new Stop(withKnownNames(catalog, trace, toInputError(trace.calledAs, contract, problems)))
      trace.canonicalInput = canonicalJson(trace.input)
      trace.inputDigest = digestText(trace.canonicalInput)
      trace.pass()
      return trace.input as JsonObject
    })
  }

  /** 4: a query makes one call, and with `singleStep` so does a session. A call that was cancelled before this step does not count. */
  function takeStep(trace: Trace): undefined | Promise<void> {
    throwIfCancelled(trace)
    const belonging = findQuery(trace.call.query, trace.caller)
    if (!belonging) return void trace.skip('single_step')
    trace.begin('single_step')
    trace.query = takeQuery(belonging, `${trace.toolId} ${trace.inputDigest}`)
    if (!options.sharesCallers) return void trace.pass()
    const shared = () => takeShared(storage.replies, belonging, trace)
    return orStop(trace, 'its query could not be looked up', shared).then(() => trace.pass())
  }

  /** 5: counted per caller and tool. */
  async function takeRate(trace: Trace, { count, windowMs }: NonNullable<Limits['calls']>) {
    trace.begin('rate')
    const taken = await orStop(trace, 'the call could not be counted', () =>
      storage.counters.take(`${trace.toolId} ${trace.caller.name}`, { count, windowMs }, Date.now()),
    )
    if (!taken.taken) {
      const { retryAfterMs } = taken
      const suggestion = `Call again in ${Math.ceil(retryAfterMs / 1000)} s.`
      const message = `'${trace.calledAs}' allows ${count} calls in ${windowMs / 1000} s, and they are used up.`
      throw Stop.at('rate_limited', message, { retryAfterMs, suggestion })
    }
    trace.pass()
  }

  /** 6: the policy decides. */
  function decideCall(trace: Trace, contract: Contract): Judged | Promise<Judged> {
    trace.begin('decide')
    if (trace.call.readOnly && contract.risk !== 'read_only')
      throw Stop.at('not_read_only', `'${trace.toolId}' is ${contract.risk}, and this call may only read.`)
    return whenReady(judge(trace, contract), (judged) => {
      const { rule } = judged.decision
      if (!reservedRuleIds.includes(rule)) countUse(trace, rule, Date.now())
      takeDecision(trace, judged)
      trace.pass()
      return judged
    })
  }

  function judge(trace: Trace, contract: Contract): Judged | Promise<Judged> {
    const judged = follower.judge(trace, toPolicyCall(trace, contract, options))
    return trace.call.part?.asks ? whenReady(judged, withQuestion) : judged
  }

  /** Who may answer is needed only if the call asks. */
  function withTerms({ toolId: tool, caller }: Trace, { risk }: Contract, judged: Judged): Judged {
    const terms = options.termsOf?.({ tool, risk, caller })
    return terms ? { ...judged, terms } : judged
  }

  /** Not awaited: stored together with the next ledger record. */
  function countUse(trace: Trace, rule: string, now: number) {
    storage.ruleUses.count(rule, now).catch((cause) => {
      report(trace, { kind: 'check_failed', message: `The use of the rule ${rule} could not be counted.`, raw: cause })
    })
  }

  /**
   * 7: the tool's own `validate`, so that no person is asked about a call that must fail, and no approval is used up. It gets
   * a copy of the input: it must not change what is approved.
   */
  async function check(trace: Trace, tool: Tool<Capabilities>): Promise<void> {
    trace.begin('check')
    await validateCall(trace, tool, { catalog, capabilities: options.capabilities, report })
    trace.pass()
  }

  /** 8: an approval is for exactly what was asked: the call, its workspace, the policy and the preview. It is used once. */
  async function approve(trace: Trace, tool: Tool<Capabilities>, judged: Judged) {
    throwIfCancelled(trace)
    trace.begin('approve')
    const { contract } = tool
    const told = withTerms(trace, contract, judged)
    const approver = toGrantee(trace, contract, told) ?? trace.call.approver ?? options.approver ?? denyAll
    const {
      answer: given,
      request,
      files,
    } = await approveCall(trace, tool, {
      ...{ judged: told, approver, pending, options },
      judge: async () => withTerms(trace, contract, takeDecision(trace, await judge(trace, contract))),
      use: (id, binding) =>
        orStop(trace, 'its approval could not be looked up', () => useApproval(storage.approvals, id, binding)),
    })
    const { answer = 'no', by = 'an approver without a name', via, principals, id, note, waitedMs, ...more } = given
    trace.approval = {
      ...{ answer, by },
      ...(via !== undefined && { via }),
      ...(principals && principals.length > 0 && { principals }),
      ...(id !== undefined && { id }),
      ...(note !== undefined && { note }),
      ...(waitedMs !== undefined && { waitedMs }),
    }
    throwIfCancelled(trace)
    if (answer === 'later') await trace.query?.putOff?.()
    const isAboutReceiver = trace.decision?.rule === 'data-flow'
    if (answer !== 'yes') throw await toApprovalStop(trace.calledAs, { ...given, answer, by, isAboutReceiver }, request)
    trace.approved = files
    const origin = { toolId: trace.toolId, caller: ofSession(trace.caller), by }
    await follower.allow(trace, contract)
    const rule = more.rule ?? (more.forTool ? (await request.offerRules()).at(-1) : undefined)
    if (rule) await orStop(trace, 'it was approved, but the rule could not be saved', () => saveRule(rule, origin))
    trace.pass()
  }

  /** 9: what cannot be recorded does not run. A call that changes something waits for the disk. */
  async function recordIntent(trace: Trace, { risk }: Contract) {
    throwIfCancelled(trace)
    if (trace.call.part?.mayBegin?.() === false) throw Stop.at('cancelled', 'The run of this step has moved to another process.') // biome-ignore format: one line
    trace.begin('intent')
    try {
      await storage.ledger.append(trace.toIntent(redact), { durable: risk !== 'read_only' })
    } catch (cause) {
      throw toUnkept(trace, 'the ledger could not record it', cause)
    }
    trace.intended = true
    trace.pass()
  }

  /** 10: limited in time and concurrency. A run that ignores its signal is abandoned. */
  async function run(trace: Trace, { contract, needs, run, workflow }: Tool<Capabilities>, input: JsonObject) {
    trace.begin('run')
    const { call, callId, caller, toolId } = trace
    const { timeoutMs } = contract.limits
    const mayReach = follower.toMayReach(trace, contract, () => toPolicyCall(trace, contract, options))
    const access = (mayReach || trace.approved) && { mayReach, ...(trace.approved && { approved: trace.approved }) }
    const capabilities = needs && (await options.capabilities({ ...call, input }, { toolId, needs }, access))
    let running = true
    const progress = (update: unknown) => {
      const checked = running && toProgress(update)
      if (checked) notify(call.onProgress, checked)
    }
    const note = (facts: unknown) => {
      if (running) trace.notes = toNotes(trace.notes, facts)
    }
    const attach = (content: readonly unknown[], meta?: unknown) => {
      if (running && Array.isArray(content))
        trace.handed = { content: [...(trace.handed?.content ?? []), ...content], meta }
    }
    const hold = call.client && new TimeoutHold()
    const { toolset } = trace.entry!
    const context = trace.passedOn
    const inContext = context && { trace: context }
    const callOwn: ToolContext['callOwn'] = (name, input, client) => {
      const called = runCall({ ...toInner(call), ...inContext, ...(client && { client }), tool: `${toolset}.${name}`, input, caller }) // biome-ignore format: one line
      return hold ? hold.during(called) : called
    }
    const client = call.client && new TimedClient(call.client, hold!)
    const { part } = call
    const inRun = {
      ...(part && { idempotencyKey: `${part.run}/${part.step}` }),
      ...(workflow && { run: { ...call.run, ...(trace.approval && { approvedBy: trace.approval.by }), call: (made: PartCall) => runCall({ ...toInner(call), ...inContext, ...made, caller }) } }), // biome-ignore format: one line
    }
    const bounded = runBounded(
      (signal) =>
        run(
          input,
          { callId, caller, signal, progress, note, attach, fail, callOwn, ...(client && { client }), ...inContext, ...inRun }, // biome-ignore format: one line
          capabilities!,
        ),
      { timeoutMs, limiter: limiterOf(contract), cancel: call.signal, hold },
    )
    const ended = bounded instanceof Promise ? await bounded : bounded
    running = false
    const returned = toReturned(trace, ended, { toDo: 'finish', timeoutMs, report })
    trace.pass()
    return returned
  }

  /** 11: the caller gets an output or error that the contract declares, and nothing else. */
  function validateOutput(trace: Trace, returned: unknown): JsonObject | Promise<JsonObject> {
    trace.begin('output')
    if (returned instanceof ToolError) return failOf(trace, returned)
    return whenReady(checkOutput(trace, returned, around), (output) => {
      trace.pass()
      trace.evidence = takeEvidenceToKeep(returned)
      return output
    })
  }

  async function failOf(trace: Trace, returned: ToolError): Promise<never> {
    const stop = await checkFailure(trace, returned, around)
    trace.pass()
    throw stop
  }

  /** 12: a call that ran is acknowledged only after its outcome is stored. */
  async function recordOutcome(trace: Trace, end: { output: JsonObject } | { error: ErrorData }): Promise<CallResult> {
    const result = trace.toResult(end)
    const durable = trace.intended && trace.contract?.risk !== 'read_only'
    try {
      await storage.ledger.append(trace.toEnd(result, redact), { durable })
      if (trace.evidence !== undefined || trace.violation !== undefined) await keepEvidence(trace)
      return trace.end(result, redact)
    } catch (cause) {
      report(trace, { kind: 'check_failed', message: 'The ledger could not record how the call ended.', raw: cause })
      if (!trace.intended) return trace.end(result, redact)
      const message = `'${trace.calledAs}' ran, but the ledger could not record how it ended.`
      return trace.end(trace.toResult({ error: toPipelineError('ledger_unavailable', message) }), redact)
    }
  }

  /** For people. A failure here does not change the result. */
  async function keepEvidence(trace: Trace) {
    try {
      await storage.evidence.keep(trace.callId, toEvidence(trace.evidence, options.redactEvidence ?? redact))
    } catch (cause) {
      report(trace, { kind: 'check_failed', message: 'The raw evidence could not be kept.', raw: cause })
    }
  }

  /** Stops the call before it runs if the storage fails. */
  async function orStop<T>(trace: Trace, failure: string, keep: () => Promise<T>): Promise<T> {
    try {
      return await keep()
    } catch (cause) {
      throw cause instanceof Stop ? cause : toUnkept(trace, failure, cause)
    }
  }

  function toUnkept(trace: Trace, failure: string, cause: unknown): Stop {
    report(trace, { kind: 'check_failed', message: `The call did not run: ${failure}.`, raw: cause })
    return Stop.at('ledger_unavailable', `'${trace.calledAs}' did not run: ${failure}.`)
  }

  function toError(trace: Trace, cause: unknown): ErrorData {
    if (cause instanceof Stop) return cause.data
    const isGone = cause instanceof ToolpactError && cause.code === 'storage_unavailable'
    if (isGone && !trace.intended) return toUnkept(trace, 'the storage failed', cause).data
    report(trace, { kind: 'check_failed', message: 'A check failed unexpectedly.', raw: cause })
    return toPipelineError('internal', `The call of '${trace.calledAs}' failed unexpectedly.`)
  }

  return { call: runCall }
}

const repairRules =
  'A person must fix the rules file, or run: toolpact rules repair --discard (starts again without rules).'

const noPolicy = (): Policy => ({})

const noPlaceForRules = () => Promise.reject(new Error('There is no place to save rules: pass saveRule.'))

function takeDecision(trace: Trace, judged: Judged): Judged {
  trace.decision = judged.decision
  const { action, rule, reason } = judged.decision
  if (action === 'deny')
    throw Stop.at('denied', `The policy denies '${trace.calledAs}'. ${reason}`, rule === 'rules-file' ? { suggestion: repairRules } : {}) // biome-ignore format: one line
  return judged
}

function throwIfCancelled({ call }: Trace) {
  if (call.signal?.aborted) throw Stop.at('cancelled', 'The call was cancelled.')
}
