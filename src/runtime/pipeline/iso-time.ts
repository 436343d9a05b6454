let lastMs = 0
let lastText = ''

/** The present as ISO text. Many calls share a millisecond, and writing it out is dear beside the rest of a record. */
export function isoTime(): string {
  const now = Date.now()
  if (now !== lastMs) {
    lastMs = now
    lastText = new Date(now).toISOString()
  }
  return lastText
}
