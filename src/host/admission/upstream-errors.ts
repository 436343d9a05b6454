import type { DeclaredError } from '../../contract/contract.ts'

/** Errors of upstream tools, in addition to those of the pipeline. Part of every upstream contract. */
export const upstreamErrors = [
  {
    code: 'upstream_error',
    status: 502,
    when: 'The tool reports a failure, as a result (isError) or as an error of the request; its message is quoted.',
    suggestion: 'Read the quoted message, correct the input and call again.',
  },
  {
    code: 'upstream_unavailable',
    status: 503,
    when: 'The server of the tool is not connected, has ended or did not take the call.',
    suggestion: 'Call again a little later; the operator sees the reason with toolpact mcp inspect.',
  },
  {
    code: 'upstream_protocol_error',
    status: 502,
    when: 'The server answered with something that the protocol does not allow, or does not take such requests.',
    suggestion: 'Report it to the operator; toolpact mcp inspect shows the server.',
  },
  {
    code: 'output_too_large',
    status: 502,
    when: 'The answer of the server is longer than any message that is read.',
    suggestion: 'Ask for less at once; no setting raises this limit.',
  },
] as const satisfies readonly DeclaredError[]

/** In the contracts of servers that callers log in to. */
export const credentialRequired = {
  code: 'credential_required',
  status: 403,
  when: 'The caller is not connected to the server, which requires a login, or the connection has ended.',
  suggestion: 'Connect as the message says, then call again.',
} as const satisfies DeclaredError

/** In the contract that reads resources only. */
export const resourceNotFound = {
  code: 'resource_not_found',
  status: 404,
  when: 'There is no resource at this URI.',
  suggestion: 'List the resources, and read one of them.',
} as const satisfies DeclaredError

export type UpstreamCode = (typeof upstreamErrors)[number]['code']
