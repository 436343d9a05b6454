/**
 * Interns tag and attribute names in lower case. A page repeats few names very often: a known name is found by its
 * character codes, without allocating a string.
 */
export function createNames(html: string): (start: number, end: number) => string {
  const known: (string | undefined)[] = new Array(places).fill(undefined)
  return (start, end) => {
    let place = end - start
    for (let at = start; at < end; at++) place = (place * 31 + toLower(html.charCodeAt(at))) & (places - 1)
    const before = known[place]
    if (before !== undefined && isSame(before, html, start, end)) return before
    const name = html.slice(start, end).toLowerCase()
    known[place] = name
    return name
  }
}

/** A power of two. On a collision the later name replaces the earlier one. */
const places = 512

function isSame(name: string, html: string, start: number, end: number): boolean {
  if (name.length !== end - start) return false
  for (let at = 0; at < name.length; at++) {
    const code = html.charCodeAt(start + at)
    // Non-ASCII: fall back to toLowerCase().
    if (code > 127 || toLower(code) !== name.charCodeAt(at)) return false
  }
  return true
}

function toLower(code: number): number {
  return code >= 65 && code <= 90 ? code + 32 : code
}
