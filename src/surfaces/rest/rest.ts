import type { IncomingMessage, ServerResponse } from 'node:http'
import type { JsonValue } from '../../contract/json.ts'
import { parseJson } from '../../contract/schema/parse-json.ts'
import type { Caller } from '../../contract/tool.ts'
import type { Approver } from '../../pipeline/approver.ts'
import { createDeferringApprover } from '../../pipeline/deferring-approver.ts'
import { type Asking, defaultKeepMs } from '../asking.ts'
import { toPath } from '../http/find-route.ts'
import type { Handle, HttpSurface } from '../http/route.ts'
import { sendProblem } from '../http/send-problem.ts'
import type { Served } from '../served.ts'
import { sendAnswer, toAnswer } from './answer.ts'
import { createCalls } from './calls.ts'
import { createKeys } from './keys.ts'
import { createPages } from './pages.ts'

export interface RestOptions {
  /** Of Toolpact, for the OpenAPI document. */
  readonly version: string
  readonly asking: Pick<Asking, 'always' | 'keepMs' | 'onWaiting'>
  /** Told what failed where the caller is answered all the same. */
  readonly onFault?: (message: string, cause: unknown) => void
}

const queryForm = /^[\x21-\x7e]{1,256}$/

/** The pipeline bounds depth for every surface; this only keeps what is absurd from being parsed. */
const mostDepth = 256

/** Serves the tools as `/v1/tools`, `/v1/tools/{name}` and `/openapi.json`. */
export function createRest(
  served: Served,
  { version, asking, onFault = () => {} }: RestOptions,
): Required<HttpSurface> {
  const pages = createPages(served.catalog, version)
  const calls = createCalls()
  const keys = createKeys(served, onFault)
  const { approvals } = served
  const { always, onWaiting } = asking
  const approver: Approver =
    always ??
    ((...asked) => createDeferringApprover({ approvals, keepMs: asking.keepMs ?? defaultKeepMs, onWaiting })(...asked))

  const handle: Handle = async (request, response, body, caller) => {
    const path = toPath(request.url ?? '')
    if (path === '/openapi.json') return pages.sendDocument(request, response, caller)
    if (path === '/v1/tools') return pages.sendTools(request, response, caller)
    const name = toName(path)
    if (name === undefined)
      return sendProblem(response, 'bad_request', { detail: 'The path is not escaped as it should be.' })
    if (request.method !== 'POST') return pages.sendContract(request, response, { name, caller })
    return call(request, response, { name, body, caller })
  }

  async function call(request: IncomingMessage, response: ServerResponse, asked: Asked): Promise<void> {
    const { name, caller } = asked
    const parsed = toInput(asked.body)
    if (!parsed.ok) return sendProblem(response, 'invalid_json', { detail: parsed.message })
    const input = parsed.value
    const queryId = request.headers['toolpact-query'] as string | undefined
    if (queryId !== undefined && !queryForm.test(queryId)) return sendProblem(response, 'invalid_query')
    const query = queryId === undefined ? undefined : served.queries.find(queryId, caller)
    const approvalId = request.headers['toolpact-approval-id'] as string | undefined
    const run = (signal: AbortSignal) =>
      served.call(name, input, {
        ...{ caller, approver, signal },
        ...(query && { query }),
        ...(approvalId !== undefined && { approvalId }),
      })
    const key = await keys.find(request, name, caller)
    if (key === undefined) return sendAnswer(response, toAnswer(await calls.whileConnected(response, run)))
    // Who sends a key comes back for the answer, so the call goes on when the connection is lost.
    await keys.answer(response, { ...key, input, run: () => calls.toTheEnd(run) })
  }

  return { handle, close: calls.close }
}

interface Asked {
  readonly name: string
  readonly body: Buffer | undefined
  readonly caller: Caller
}

function toName(path: string): string | undefined {
  try {
    return decodeURIComponent(path.slice('/v1/tools/'.length))
  } catch {
    return undefined
  }
}

/** No body is an empty input. */
function toInput(body: Buffer | undefined): ReturnType<typeof parseJson> | { ok: true; value: JsonValue } {
  if (body === undefined || body.length === 0) return { ok: true, value: {} }
  return parseJson(body, { maxBytes: body.length, maxDepth: mostDepth })
}
