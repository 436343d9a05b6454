import type { CallResult } from '../../contract/call-result.ts'

/** Documented in `--help` and docs/cli.md. */
export const exitCodes = {
  success: 0,
  failed: 1,
  usage: 2,
  refused: 3,
  later: 4,
  hungUp: 129,
  interrupted: 130,
  terminated: 143,
} as const

export const exitCodeMeanings: readonly (readonly [number, string])[] = [
  [exitCodes.success, 'success'],
  [exitCodes.failed, 'the tool failed, or something went wrong unexpectedly'],
  [exitCodes.usage, 'wrong usage: no such command, option or tool, or an input that the contract does not allow'],
  [exitCodes.refused, 'not allowed: denied by the policy, not approved, or withheld'],
  [exitCodes.later, 'try again later: out of time, too many calls, busy'],
  [exitCodes.hungUp, 'the terminal was closed (SIGHUP)'],
  [exitCodes.interrupted, 'interrupted with Ctrl-C'],
  [exitCodes.terminated, 'asked to end (SIGTERM)'],
]

const byErrorCode: { readonly [code: string]: number } = {
  tool_not_found: exitCodes.usage,
  tool_ambiguous: exitCodes.usage,
  tool_planned: exitCodes.usage,
  invalid_input: exitCodes.usage,
  input_too_large: exitCodes.usage,
  tool_withheld: exitCodes.refused,
  denied: exitCodes.refused,
  not_read_only: exitCodes.refused,
  approval_denied: exitCodes.refused,
  approval_timeout: exitCodes.refused,
  rate_limited: exitCodes.later,
  busy: exitCodes.later,
  timeout: exitCodes.later,
  cancelled: exitCodes.interrupted,
}

export function toExitCode(result: CallResult): number {
  // A valid output can itself report a failure.
  if (result.success) return result.output.success === false ? exitCodes.failed : exitCodes.success
  return Object.hasOwn(byErrorCode, result.error.code) ? byErrorCode[result.error.code]! : exitCodes.failed
}
