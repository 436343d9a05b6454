import { ToolError } from '../../contract/tool-error.ts'

/** The codes that `web` fails with. */
export type WebErrorCode = 'invalid_url' | 'fetch_failed' | 'timeout'

export function toInvalidUrl(reason: string): ToolError<WebErrorCode> {
  return new ToolError('invalid_url', 'Invalid URL format', {
    suggestion: `Use a whole URL with http or https: ${reason}.`,
  })
}

export function toFetchFailed(reason: string, cause?: unknown): ToolError<WebErrorCode> {
  return new ToolError('fetch_failed', `Failed to fetch - ${reason}`, {
    suggestion: 'Check the address, or try another source.',
    cause,
  })
}

/** For targets that tools may not reach: a retry does not help. */
export function toRefused(reason: string, { isRedirect = false } = {}): ToolError<WebErrorCode> {
  const error = new ToolError<WebErrorCode>('fetch_failed', `Failed to fetch - ${reason}`, {
    suggestion:
      'Use a public address. Only the operator can allow a host on a private network, with policy.allowHosts in the config.',
  })
  if (!isRedirect) closed.add(error)
  return error
}

const closed = new WeakSet<object>()
const unreachableCodes = 'ENOTFOUND ENODATA EAI_AGAIN ECONNREFUSED EHOSTUNREACH ENETUNREACH EADDRNOTAVAIL'.split(' ')

/** Whether no page of that host could be fetched now: its name is unknown, nothing answers there, or it is closed to tools. */
export function isUnreachable(error: unknown): boolean {
  const { code } = ((error as Error).cause ?? {}) as NodeJS.ErrnoException
  return closed.has(error as object) || (code !== undefined && unreachableCodes.includes(code))
}

/** A redirect that was not allowed. It needs a separate call, which rules and people decide about. */
export function toOtherOrigin(from: URL, to: URL): ToolError<WebErrorCode> {
  const error = new ToolError<WebErrorCode>(
    'fetch_failed',
    `Failed to fetch - ${from.host} redirects to ${to.origin}, which is not allowed yet`,
    {
      suggestion: `To continue, call again with the url ${to.href}. That call is decided and asked about on its own.`,
    },
  )
  otherOrigins.add(error)
  return error
}

const otherOrigins = new WeakSet<object>()

/** Whether a fetch ended because its call may not follow a redirect. */
export function isOtherOrigin(error: unknown): boolean {
  return otherOrigins.has(error as object)
}

export function toTimeout(timeoutMs: number): ToolError<WebErrorCode> {
  return new ToolError(
    'timeout',
    `Request timed out after ${timeoutMs / 1000} ${timeoutMs === 1000 ? 'second' : 'seconds'}`,
    {
      suggestion: 'Allow more time, or try again later.',
    },
  )
}

/** Wraps a system error, once. */
export function toWebError(error: unknown): unknown {
  if (error instanceof ToolError || !(error instanceof Error)) return error
  const { code = '' } = error as NodeJS.ErrnoException
  return toFetchFailed(reasons[code] ?? toReason(code, error), error)
}

function toReason(code: string, error: Error): string {
  if (code.startsWith('HPE_')) return `the answer is not valid HTTP (${code})`
  if (code.startsWith('Z_') || code.startsWith('ERR_BROTLI') || code.startsWith('ERR__ERROR'))
    return 'the answer cannot be decompressed'
  if (/CERT|TLS|SSL|SELF_SIGNED|UNABLE_TO/.test(code))
    return `the server's certificate or encryption is not accepted (${code})`
  return code || error.message
}

const reasons: Record<string, string> = {
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'connection closed early',
  EPIPE: 'connection closed early',
  ERR_STREAM_PREMATURE_CLOSE: 'connection closed early',
  ENOTFOUND: 'host not found',
  ENODATA: 'host not found',
  EAI_AGAIN: 'the name could not be resolved',
  ETIMEDOUT: 'the host does not answer',
  EHOSTUNREACH: 'the host cannot be reached',
  ENETUNREACH: 'the network cannot be reached',
  EADDRNOTAVAIL: 'the host cannot be reached',
  HPE_HEADER_OVERFLOW: "the answer's headers are too large",
}
