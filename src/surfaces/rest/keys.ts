import type { IncomingMessage, ServerResponse } from 'node:http'
import type { CallResult } from '../../contract/call-result.ts'
import { digest } from '../../contract/digest.ts'
import { toPipelineError } from '../../contract/error-codes.ts'
import type { JsonValue } from '../../contract/json.ts'
import type { Caller } from '../../contract/tool.ts'
import type { Claim } from '../../runtime/storage/storage.ts'
import { sendProblem } from '../http/send-problem.ts'
import type { Served } from '../served.ts'
import { type Answer, sendAnswer, toProblemAnswer } from './answer.ts'

/** The key of a call that changes something. Keys of other calls are ignored. */
interface Key {
  readonly key: string
  readonly caller: Caller
  /** The tool's full id. */
  readonly tool: string
}

interface KeyedCall extends Key {
  readonly input: JsonValue
  readonly run: () => Promise<CallResult>
  readonly toReply: (result: CallResult) => Answer | Promise<Answer>
}

/** How long a response is stored. */
const keepMs = 86_400_000

const keyForm = /^[\x21-\x7e]{1,255}$/

/** `Idempotency-Key`: a call that is repeated with the same key runs once, and gets the same response. */
export function createKeys(
  { catalog, replies, workspace }: Pick<Served, 'catalog' | 'replies' | 'workspace'>,
  onFault: (message: string, cause: unknown) => void,
) {
  /** The key of this call; undefined if it has none or its tool is read-only. */
  async function find({ headers }: IncomingMessage, name: string, caller: Caller): Promise<Key | undefined> {
    const key = headers['idempotency-key'] as string | undefined
    if (key === undefined) return undefined
    const found = await catalog.find(name, caller)
    if (found.kind !== 'found' || found.tool.contract.risk === 'read_only') return undefined
    return { key, caller, tool: found.id }
  }

  async function answer(response: ServerResponse, call: KeyedCall): Promise<void> {
    if (!keyForm.test(call.key)) return sendProblem(response, 'invalid_idempotency_key')
    // Keys are per caller and workspace: the same call elsewhere is a different one.
    const key = JSON.stringify([call.key, workspace, call.caller.name])
    const claim = await claimKey(key, call)
    switch (claim?.state) {
      case undefined:
        return sendAnswer(response, notClaimed(call.tool))
      case 'other_input':
        return sendProblem(response, 'idempotency_key_reused')
      case 'in_flight':
        return sendProblem(response, 'idempotency_under_way')
      case 'kept':
        return sendAnswer(response, claim.reply as Answer, { 'Idempotency-Replayed': 'true' })
      case 'claimed':
        sendAnswer(response, await runOnce(key, call))
    }
  }

  async function claimKey(key: string, { tool, input }: KeyedCall): Promise<Claim | undefined> {
    const now = Date.now()
    try {
      return await replies.claim(key, digest({ tool, input }), { now, expiresAt: now + keepMs })
    } catch (cause) {
      onFault('The key of a call could not be claimed.', cause)
      return undefined
    }
  }

  async function runOnce(key: string, call: KeyedCall): Promise<Answer> {
    const result = await call.run()
    const answer = await call.toReply(result)
    try {
      if (!result.success && !result.ran) await replies.release(key)
      else await replies.keep(key, { ...answer })
    } catch (cause) {
      // The key stays claimed, so a repeat is refused and nothing runs twice.
      onFault('The answer to a call with a key could not be kept.', cause)
    }
    return answer
  }

  return { find, answer }
}

function notClaimed(tool: string): Answer {
  const message = `'${tool}' did not run: its key could not be kept.`
  return toProblemAnswer(toPipelineError('ledger_unavailable', message))
}
