import type { Cue } from './read-timed.ts'

/** A time at the beginning of a line, as YouTube's panel and many players show it, or after a name. */
const leading = /^\s*[[(]?((?:\d{1,3}:)?\d{1,2}:\d{2})(?:[.,]\d{1,3})?[\])]?(?=$|[\s\-–—:])[\s\-–—:]*/
const trailing = /^\s*(\p{Lu}[\p{L}\p{M}\p{N}.'’\- ]{0,39}?)[\s([–—-]+((?:\d{1,3}:)?\d{1,2}:\d{2})[\])]?\s*$/u

/**
 * Reads lines that are marked with times: `0:05` alone or before the words, or `Ada 0:05` above them. Undefined if the
 * times are few or out of order, as they are where people only speak of them.
 */
export function readStamped(text: string): Cue[] | undefined {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  const stamps = lines.map(toStamp)
  const times = stamps.flatMap((stamp) => (stamp ? [stamp.start] : []))
  const isSorted = times.every((start, index) => index === 0 || start >= times[index - 1]!)
  if (times.length < 3 || times.length * 5 < lines.length || !isSorted || !stamps[0]) return undefined
  const cues: { lines: string[]; start: number }[] = []
  for (const [index, line] of lines.entries()) {
    const stamp = stamps[index]
    if (stamp) cues.push({ lines: stamp.rest === '' ? [] : [stamp.rest], start: stamp.start })
    else cues.at(-1)!.lines.push(line)
  }
  return cues.map(({ lines, start }) => ({ lines: withSpeaker(lines), start }))
}

function toStamp(line: string): { start: number; rest: string } | undefined {
  const before = leading.exec(line)
  if (before) return { start: toSeconds(before[1]!), rest: line.slice(before[0].length) }
  const after = trailing.exec(line)
  return after ? { start: toSeconds(after[2]!), rest: `${after[1]!.trim()}:` } : undefined
}

/** A name that stands above the words belongs before them. */
function withSpeaker([first, second, ...more]: string[]): string[] {
  if (first === undefined) return []
  if (second === undefined) return [first]
  return first.endsWith(':') ? [`${first} ${second}`, ...more] : [first, second, ...more]
}

function toSeconds(time: string): number {
  return time.split(':').reduce((sum, part) => sum * 60 + Number(part), 0)
}
