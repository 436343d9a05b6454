let lastMs = 0
let lastText = ''

/** The current time in ISO format. Cached per millisecond: formatting is expensive compared with the rest of a record. */
export function isoTime(): string {
  const now = Date.now()
  if (now !== lastMs) {
    lastMs = now
    lastText = new Date(now).toISOString()
  }
  return lastText
}
