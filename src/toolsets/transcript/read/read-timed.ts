/** The lines that captions show at one time, or one line of a text without times. */
export interface Cue {
  readonly lines: readonly string[]
  /** In milliseconds, if known. */
  readonly start?: number
  readonly end?: number
  /** Preceded by a blank line. */
  readonly apart?: boolean
}

const time = String.raw`(?:(\d{1,3}):)?(\d{1,2}):(\d{2})(?:[.,](\d{1,3}))?`
/** `00:00:01,000 --> 00:00:02,000` with optional settings, or `0:00:01.000,0:00:02.000` (SBV, used by YouTube). */
const timing = new RegExp(String.raw`^\s*${time}\s*(?:-->\s*${time}(?:\s.*)?|,\s*${time}\s*)$`)

/** Reads SRT, WebVTT and SBV; undefined for any other text. */
export function readTimed(text: string): { format: 'srt' | 'vtt' | 'youtube'; cues: Cue[] } | undefined {
  const isVtt = /^\s*WEBVTT(?:[ \t]|\n|$)/.test(text)
  const lines = text.split('\n')
  const timings = lines.map((line) => (line.includes(':') ? toTiming(line) : undefined))
  const first = timings.findIndex((found) => found !== undefined)
  if (first === -1) return isVtt ? { format: 'vtt', cues: [] } : undefined
  // At most a header or a number precedes the first timing; more than that means prose that quotes a timing.
  if (!isVtt && lines.slice(0, first).filter((line) => line.trim() !== '').length > 1) return undefined
  const number = Number(lines.slice(0, first).findLast((line) => line.trim() !== '') ?? Number.NaN)
  /** Whether a line names the next cue. Without a blank line before it, only the expected number does. */
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

/** The text between two timings, without the name or number of the next cue. */
function toPayload(lines: readonly string[], isName: (line: string, isAlone: boolean) => boolean): string[] {
  const blocks: string[][] = [[]]
  for (const line of lines) {
    if (line.trim() === '') blocks.push([])
    else blocks.at(-1)!.push(line)
  }
  const last = blocks.at(-1)!
  if (last.length > 0 && isName(last.at(-1)!, blocks.length > 1 && last.length === 1)) last.pop()
  // WebVTT blocks that players do not display.
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
