import type { JsonObject } from '../contract/json.ts'
import type { ErrorData } from '../contract/tool-error.ts'
import { toErrorJson } from './result-json.ts'

/** A failure as RFC 9457 problem details, with everything that the failure of a call has elsewhere. */
export function toProblemDetails(error: ErrorData, callId?: string): JsonObject {
  const { code, message, status, ...more } = toErrorJson(error) as { code: string } & JsonObject
  return {
    type: `urn:toolpact:error:${code}`,
    title: toTitle(code),
    status: status!,
    detail: message!,
    code,
    ...more,
    ...(callId !== undefined && { call_id: callId }),
  }
}

/** The seconds of `Retry-After`: always for 429, and for 503 if waiting helps. */
export function toRetryAfter({ code, status, retryAfterMs }: ErrorData): number | undefined {
  const helps = status === 429 || (status === 503 && (retryAfterMs !== undefined || code === 'busy'))
  return helps ? Math.max(1, Math.ceil((retryAfterMs ?? 0) / 1000)) : undefined
}

/** `file_not_found` becomes `File not found`. */
function toTitle(code: string): string {
  return code.replaceAll('_', ' ').replace(/^./, (first) => first.toUpperCase())
}
