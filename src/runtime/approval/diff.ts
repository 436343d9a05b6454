export interface DiffLine {
  /** `place` says where the lines that follow stand; `note` says what a line cannot. */
  readonly kind: 'same' | 'added' | 'removed' | 'place' | 'note'
  readonly text: string
}

export interface Diff {
  readonly lines: readonly DiffLine[]
  readonly added: number
  readonly removed: number
}

const context = 3
const maxLines = 10_000
const maxCharacters = 4000
/** Beyond so many pairs of lines, what changed is shown as one block instead of line by line. */
const maxPairs = 2_000_000

/** What changed between two texts, with a few lines around each change. Bounded, and it says where it leaves off. */
export function toDiff(before: string, after: string): Diff {
  const [old, now] = withoutReturns(toLines(before), toLines(after))
  const steps = compare(old, now)
  return {
    lines: toHunks(steps),
    added: steps.filter(({ kind }) => kind === 'added').length,
    removed: steps.filter(({ kind }) => kind === 'removed').length,
  }
}

/** Lines with their ends: whether the last one has an end is a difference too. */
function toLines(text: string): string[] {
  const lines = text.split('\n')
  const last = lines.pop()!
  return [...lines.map((line) => `${line}\n`), ...(last === '' ? [] : [last])]
}

/** Where every line ends with a carriage return, none needs to be shown. */
function withoutReturns(...texts: [string[], string[]]): [string[], string[]] {
  const isWindows = texts.flat().every((line) => line.endsWith('\r\n') || !/[\r\n]/.test(line))
  return isWindows ? [texts[0].map(toUnix), texts[1].map(toUnix)] : texts
}

function toUnix(line: string): string {
  return line.replace(/\r\n$/, '\n')
}

interface Step {
  readonly kind: 'same' | 'added' | 'removed'
  readonly text: string
  /** Number of the line in the text after. */
  readonly line: number
}

function compare(old: readonly string[], now: readonly string[]): Step[] {
  let start = 0
  while (start < old.length && start < now.length && old[start] === now[start]) start++
  let end = 0
  while (end < Math.min(old.length, now.length) - start && old.at(-1 - end) === now.at(-1 - end)) end++
  const same = (from: number, to: number) =>
    now.slice(from, to).map((text, index): Step => ({ kind: 'same', text, line: from + index + 1 }))
  return [
    ...same(0, start),
    ...compareMiddle(old.slice(start, old.length - end), now.slice(start, now.length - end), start),
    ...same(now.length - end, now.length),
  ]
}

/** The longest common subsequence of the lines in between. */
function compareMiddle(old: readonly string[], now: readonly string[], offset: number): Step[] {
  const width = now.length + 1
  const lengths = old.length * now.length > maxPairs ? undefined : toLengths(old, now)
  const steps: Step[] = []
  let [i, j] = [0, 0]
  while (i < old.length || j < now.length) {
    const line = offset + j + 1
    if (lengths && i < old.length && j < now.length && old[i] === now[j]) {
      steps.push({ kind: 'same', text: now[j]!, line })
      i++
      j++
    } else if (
      i < old.length &&
      (j === now.length || !lengths || lengths[(i + 1) * width + j]! >= lengths[i * width + j + 1]!)
    ) {
      steps.push({ kind: 'removed', text: old[i++]!, line })
    } else steps.push({ kind: 'added', text: now[j++]!, line })
  }
  return steps
}

function toLengths(old: readonly string[], now: readonly string[]): Uint32Array {
  const width = now.length + 1
  const lengths = new Uint32Array((old.length + 1) * width)
  for (let i = old.length - 1; i >= 0; i--) {
    for (let j = now.length - 1; j >= 0; j--) {
      lengths[i * width + j] =
        old[i] === now[j]
          ? lengths[(i + 1) * width + j + 1]! + 1
          : Math.max(lengths[(i + 1) * width + j]!, lengths[i * width + j + 1]!)
    }
  }
  return lengths
}

/** Changes and the lines near them, up to so many. */
function toHunks(steps: readonly Step[]): DiffLine[] {
  const lines: DiffLine[] = []
  let lastChange = -Infinity
  let nextChange = -1
  let lastShown = -1
  for (const [index, step] of steps.entries()) {
    if (step.kind !== 'same') lastChange = index
    if (nextChange < index) nextChange = findChange(steps, index)
    if (index - lastChange > context && nextChange - index > context) continue
    if (lines.length >= maxLines) return [...lines, { kind: 'note', text: 'more follows, and is left out here' }]
    if (index > lastShown + 1) lines.push({ kind: 'place', text: `line ${step.line}` })
    lines.push(...toDiffLines(step))
    lastShown = index
  }
  return lines
}

function findChange(steps: readonly Step[], from: number): number {
  for (let index = from; index < steps.length; index++) if (steps[index]!.kind !== 'same') return index
  return Infinity
}

function toDiffLines({ kind, text }: Step): DiffLine[] {
  const line = text.endsWith('\n') ? text.slice(0, -1) : text
  const more = line.length - maxCharacters
  return [
    { kind, text: more > 0 ? line.slice(0, maxCharacters) : line },
    ...(more > 0 ? [{ kind: 'note' as const, text: `${more} characters more in this line` }] : []),
    ...(line === text ? [{ kind: 'note' as const, text: 'no line end' }] : []),
  ]
}
