/** Whether a sentence ends in this gap. An ellipsis is a pause. */
export function endsSentence(gap: string): boolean {
  return /[.!?。！？]/.test(gap.replaceAll(/\.{2,}/g, ''))
}
