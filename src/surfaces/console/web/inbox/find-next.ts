/**
 * The question to show when a person moves on. The current one may have been answered and left the list: the one that took its
 * place is then the next. `place` is where the current one was.
 */
export function findNext(ids: readonly string[], current: string | null, step: 1 | -1, place: number): string | null {
  const at = current === null ? -1 : ids.indexOf(current)
  const wanted = at >= 0 ? at + step : current === null ? 0 : step === 1 ? place : place - 1
  return ids[Math.min(Math.max(wanted, 0), ids.length - 1)] ?? null
}
