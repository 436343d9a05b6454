/** What captions show at one time, or a line of a text without times. */
export interface Cue {
  readonly lines: readonly string[]
  /** In milliseconds, where it is known. */
  readonly start?: number
  readonly end?: number
  /** A blank line goes before it. */
  readonly apart?: boolean
}

const time = String.raw`(?:(\d{1,3}):)?(\d{1,2}):(\d{2})(?:[.,](\d{1,3}))?`
/** `00:00:01,000 --> 00:00:02,000` with settings behind it, or `0:00:01.000,0:00:02.000` as YouTube's own files have it. */
const timing = new RegExp(String.raw`^\s*${time}\s*(?:-->\s*${time}(?:\s.*)?|,\s*${time}\s*)$`)

/** Reads SRT, WebVTT and SBV; undefined if the text is none of them. */
export function readTimed(text: string): { format: 'srt' | 'vtt' | 'youtube'; cues: Cue[] } | undefined {
  const isVtt = /^\s*WEBVTT(?:[ \t]|\n|$)/.test(text)
  const lines = text.split('\n')
  const timings = lines.map((line) => (line.includes(':') ? toTiming(line) : undefined))
  const first = timings.findIndex((found) => found !== undefined)
  if (first === -1) return isVtt ? { format: 'vtt', cues: [] } : undefined
  // What goes before the first time is a header or a number; a text that only shows a timing somewhere has more there.
  if (!isVtt && lines.slice(0, first).filter((line) => line.trim() !== '').length > 1) return undefined
  const number = Number(lines.slice(0, first).findLast((line) => line.trim() !== '') ?? Number.NaN)
  /** A line of its own; without a blank line before it, only the number that must come. */
  const toName = (next: number, expected: number) => (line: string, isAlone: boolean) =>
    next < lines.length && (isAlone ? isVtt || /^\s*\d+\s*$/.test(line) : Number(line) === expected)
  const cues: Cue[] = []
  for (let at = first; at < lines.length; ) {
    const { start, end } = timings[at]!
    let next = at + 1
    while (next < lines.length && timings[next] === undefined) next++
    cues.push({ lines: toPayload(lines.slice(at + 1, next), toName(next, number + cues.length + 1)), start, end })
    at = next
  }
  return { format: isVtt ? 'vtt' : lines[first]!.includes('-->') ? 'srt' : 'youtube', cues }
}

/** What stands between two timings: the words, and then perhaps the name or number of the next cue. */
function toPayload(lines: readonly string[], isName: (line: string, isAlone: boolean) => boolean): string[] {
  const blocks: string[][] = [[]]
  for (const line of lines) {
    if (line.trim() === '') blocks.push([])
    else blocks.at(-1)!.push(line)
  }
  const last = blocks.at(-1)!
  if (last.length > 0 && isName(last.at(-1)!, blocks.length > 1 && last.length === 1)) last.pop()
  // Blocks of WebVTT that nobody is shown.
  return blocks.filter(([line = ''], index) => index === 0 || !/^(?:NOTE|STYLE|REGION)\b/.test(line)).flat()
}

function toTiming(line: string): { start: number; end: number } | undefined {
  const found = timing.exec(line)
  if (!found) return undefined
  const end = found[7] === undefined ? found.slice(9, 13) : found.slice(5, 9)
  return { start: toMs(found.slice(1, 5)), end: toMs(end) }
}

function toMs([hours = '0', minutes = '0', seconds = '0', fraction = '0']: (string | undefined)[]): number {
  return Number(hours) * 3_600_000 + Number(minutes) * 60_000 + Number(seconds) * 1000 + Number(fraction.padEnd(3, '0'))
}
