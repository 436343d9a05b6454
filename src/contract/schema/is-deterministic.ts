/**
 * Whether V8 matches a pattern in linear time, so that RE2 is not needed for it. The build asks this about patterns of built-in
 * schemas.
 *
 * Invariant: true only if the pattern is anchored at its start, and at each character at most one part of it can match. Then
 * every way that V8 tries besides the right one fails at its first character, and nothing is scanned twice.
 *
 * Conservative: anything but characters, classes, groups, alternatives and quantifiers makes it false, and so does a
 * part that may be empty where that could matter.
 */
export function isDeterministic(source: string): boolean {
  try {
    new RegExp(source, 'u')
    if (!source.startsWith('^')) return false
    const body = source.slice(1, source.endsWith('$') && !source.endsWith('\\$') ? -1 : undefined)
    const reader = { rest: body, follow: new Map<Position, Set<Position>>() }
    const { first } = readSequence(reader)
    return reader.rest === '' && areDisjoint(first) && [...reader.follow.values()].every(areDisjoint)
  } catch {
    return false
  }
}

/** One occurrence of a character or class: the ASCII characters that it matches, and whether it may match others. */
type Position = readonly boolean[]

interface Reader {
  rest: string
  /** The positions that may match after one that did. */
  readonly follow: Map<Position, Set<Position>>
}

interface Part {
  readonly first: ReadonlySet<Position>
  readonly last: ReadonlySet<Position>
  readonly mayBeEmpty: boolean
}

const empty: Part = { first: new Set(), last: new Set(), mayBeEmpty: true }

function readAlternatives(reader: Reader): Part {
  const parts = [readSequence(reader)]
  while (take(reader, /^\|/)) parts.push(readSequence(reader))
  if (parts.length === 1) return parts[0]!
  if (parts.some(({ mayBeEmpty }) => mayBeEmpty)) throw new Error('An alternative may be empty.')
  return {
    first: unite(parts.map(({ first }) => first)),
    last: unite(parts.map(({ last }) => last)),
    mayBeEmpty: false,
  }
}

function readSequence(reader: Reader): Part {
  let whole = empty
  while (reader.rest !== '' && !/^[|)]/.test(reader.rest)) {
    const next = readQuantified(reader)
    link(reader, whole.last, next.first)
    whole = {
      first: whole.mayBeEmpty ? unite([whole.first, next.first]) : whole.first,
      last: next.mayBeEmpty ? unite([whole.last, next.last]) : next.last,
      mayBeEmpty: whole.mayBeEmpty && next.mayBeEmpty,
    }
  }
  return whole
}

function readQuantified(reader: Reader): Part {
  const part = readAtom(reader)
  const quantifier = take(reader, /^(?:[*+?]|\{\d+(?:,\d*)?\})/)
  if (quantifier === undefined) return part
  if (part.mayBeEmpty) throw new Error('What is repeated may be empty.')
  // A count is taken for a loop, which has more ways to match.
  if (quantifier !== '?') link(reader, part.last, part.first)
  return { ...part, mayBeEmpty: /^(?:[*?]|\{0)/.test(quantifier) }
}

function readAtom(reader: Reader): Part {
  if (take(reader, /^\((?:\?:)?(?!\?)/)) {
    const inner = readAlternatives(reader)
    if (!take(reader, /^\)/)) throw new Error('A group is not closed.')
    return inner
  }
  const atom = take(reader, /^(?:\\x[\da-fA-F]{2}|\\[dswDSW\W]|\[(?:\\.|[^\]\\])+\]|[^\\^$.*+?()[\]{}|])/)
  if (atom === undefined) throw new Error('Not a character, class or group.')
  const matches = new RegExp(`^${atom}$`, 'u')
  const ascii = Array.from({ length: 128 }, (_, code) => matches.test(String.fromCharCode(code)))
  const isAscii = /^(?!\[\^)(?:[ -[\]-~]|\\x[0-7][\da-fA-F]|\\[dw]|\\\W)+$/.test(atom)
  const position: Position = [...ascii, !isAscii]
  reader.follow.set(position, new Set())
  return { first: new Set([position]), last: new Set([position]), mayBeEmpty: false }
}

function unite(sets: readonly ReadonlySet<Position>[]): Set<Position> {
  return new Set(sets.flatMap((set) => [...set]))
}

/** Two ways from one position to another, as in `(a+)+`, would be tried one after the other. */
function link({ follow }: Reader, last: ReadonlySet<Position>, first: ReadonlySet<Position>): void {
  for (const from of last)
    for (const to of first) {
      if (follow.get(from)!.has(to)) throw new Error('There are two ways.')
      follow.get(from)!.add(to)
    }
}

function areDisjoint(positions: ReadonlySet<Position>): boolean {
  const taken = new Set<number>()
  for (const position of positions)
    for (const [code, isMatched] of position.entries()) {
      if (!isMatched) continue
      if (taken.has(code)) return false
      taken.add(code)
    }
  return true
}

function take(reader: Reader, expression: RegExp): string | undefined {
  const found = expression.exec(reader.rest)?.[0]
  if (found !== undefined) reader.rest = reader.rest.slice(found.length)
  return found
}
