import type { CallRow } from '../../api/calls.ts'

/** Rows from the call that was on top when reading began, and how many newer ones wait. If it is gone, nothing is held back. */
export function holdBack(
  calls: readonly CallRow[],
  heldAt: string | null,
): { readonly rows: readonly CallRow[]; readonly waiting: number } {
  const waiting =
    heldAt === null
      ? 0
      : Math.max(
          0,
          calls.findIndex((call) => call.callId === heldAt),
        )
  return { rows: waiting === 0 ? calls : calls.slice(waiting), waiting }
}
