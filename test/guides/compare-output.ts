/** A line of the page that stands for any number of lines. */
const elision = '…'

/** Whether a terminal shows what the page shows, apart from values that differ in every run and from line breaks. */
export function isSameOutput(shown: string, actual: string): boolean {
  const [first = '', ...rest] = shown.split(/^ *…$/m).map(toWords)
  const words = toWords(actual)
  const last = rest.pop()
  if (last === undefined) return words === first
  if (!words.startsWith(first)) return false
  let from = first.length
  for (const part of rest) {
    const found = words.indexOf(part, from)
    if (found < 0) return false
    from = found + part.length
  }
  return words.length >= from + last.length && words.endsWith(last)
}

/** The output for the page: as many lines before and after an elision as were shown. */
export function shorten(actual: string, shown: string): string {
  const lines = actual.trimEnd().split('\n')
  const old = shown.trimEnd().split('\n')
  const at = old.findIndex((line) => line.trim() === elision)
  if (at < 0 || lines.length <= old.length) return `${lines.join('\n')}\n`
  const tail = old.length - at - 1
  return `${[...lines.slice(0, at), elision, ...(tail > 0 ? lines.slice(-tail) : [])].join('\n')}\n`
}

/** The lines without what differs in every run. */
export function maskValues(text: string): string {
  return variable.reduce((masked, pattern) => masked.replaceAll(pattern, '*'), text)
}

const variable = [
  // A link may begin and end with a hyphen, which is no word boundary.
  /(?<=\?once=)[\w-]+/g,
  /\b\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d)?(?:\.\d+)?Z?/g,
  /\b\d{4}-\d\d-\d\d\b/g,
  /\b\d\d:\d\d(?::\d\d)?\b/g,
  /(?:<|\b)\d+(?:\.\d+)? ?(?:µs|ms|s|min)\b/g,
  /\b\d+ minutes?\b/g,
  /\b\d+(?:\.\d*)?…/g,
  /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g,
  /\b[0-9a-f]{7,64}…?/g,
  /\b[\w-]{32,}\b/g,
  /\bv?\d+\.\d+\.\d+\b/g,
]

function toWords(text: string): string {
  return maskValues(text).replaceAll(/\s+/g, ' ').trim()
}
