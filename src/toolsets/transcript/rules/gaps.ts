/** Whether a sentence ends in this gap. An ellipsis is a pause. */
export function endsSentence(gap: string): boolean {
  return /[.!?。！？]/.test(gap.replaceAll(/\.{2,}/g, ''))
}

/** Whether a speaker may only have paused here: space, a comma, a dash or an ellipsis. */
export function isPause(gap: string): boolean {
  return /^[\s,;…—–‐‑，、-]*$/u.test(gap.replaceAll(/\.{2,}/g, ''))
}
