import type { Contract } from './contract.ts'
import type { Caller } from './tool.ts'

/**
 * The caller of requests without a token, if the operator serves public tools. They share one name, and therefore their
 * limits.
 */
export const publicCaller: Caller = Object.freeze({ name: 'public' })

export function isPublicCaller(caller: Caller | undefined): boolean {
  return caller?.name === publicCaller.name
}

/**
 * Whether a tool may be called without a token, if the operator allows that: its contract declares public access and a
 * limit on calls, and it touches nothing.
 */
export function isPublic({ summary, status, risk, approval, effects, limits }: Contract): boolean {
  return (
    summary?.access === declared &&
    status !== 'planned' &&
    risk === 'read_only' &&
    approval === 'never' &&
    limits.calls !== undefined &&
    Object.values(effects).every((fields) => !Array.isArray(fields) || fields.length === 0)
  )
}

/** The contract if every caller needs a token. */
export function withoutPublicAccess(contract: Contract): Contract {
  const { summary, constraints } = contract
  if (summary?.access !== declared) return contract
  return {
    ...contract,
    summary: { ...summary, access: 'Callers with a token' },
    ...(constraints && { constraints: constraints.filter((text) => !/^No authentication required\b/i.test(text)) }),
  }
}

const declared = 'Public'
