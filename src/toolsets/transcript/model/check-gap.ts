/** What a model may set between words, and take away. A colon makes a speaker, and brackets make a remark: they are not. */
const free = /[\s.,;!?…"“”„‟'‘’‚‛«»‹›¿¡—–‐‑\-。，、；！？「」『』]/gu
const maxMarks = 6

/** What stands between words and is more than punctuation. */
export function toSigns(gap: string): string {
  return gap.replace(free, '')
}

/** Whether a model's gap has the signs of what stood there, all of them and no others, and not too many marks. */
export function isSoundGap(written: string, said: string): boolean {
  return toSigns(written) === toSigns(said) && written.replace(/\s/g, '').length <= toSigns(said).length + maxMarks
}

/** A model's gap on one line: a line of its own could look like another speaker. */
export function toGap(written: string): string {
  return written.replace(/\s+/g, ' ')
}
