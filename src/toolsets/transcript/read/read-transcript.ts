import { decodeHTMLStrict } from 'entities/decode'
import { stripHidden } from '../../../contract/text/hidden-characters.ts'
import { type Cue, readTimed } from './read-timed.ts'
import { type Turn, toTurns } from './to-turns.ts'

/** Caption markup: voices, classes, fonts, inline times. Anything else in angle brackets may be speech. */
const tags = /<\/?(?:c|i|b|u|s|font|ruby|rt|lang|v)(?:[.\s][^<>]{0,200})?>|<\d{1,3}:\d{2}(?::\d{2})?(?:\.\d{1,3})?>/gi

const voice = /<v(?:\.[^\s<>]{0,100})?\s+([^<>]{1,100})>/gi

const positions = /\{\\an?\d[^{}]{0,100}\}/g

const soundNames = [
  ...['music', 'applause', 'laughter', 'laughs', 'laughing', 'cheering', 'cheers', 'silence', 'background noise'],
  ...['musik', 'beifall', 'applaus', 'gelächter', 'lachen', 'lacht', 'stille'],
  ...['musique', 'applaudissements', 'rires', 'rire', 'silence'],
  ...['música', 'aplausos', 'risas', 'risos', 'silencio', 'silêncio'],
  ...['musica', 'applausi', 'risate', 'silenzio', 'muziek', 'gelach', 'applaus', 'музыка', 'аплодисменты', 'смех'],
  ...['音楽', '拍手', '笑い', '音乐', '掌声', '笑声'],
]

const sounds = new RegExp(`[[(] ?(?:${soundNames.join('|')})? ?[\\])]`, 'giu')

/** A time at the start of a line, as in YouTube's transcript panel, or after a name. */
const leading = /^\s*[[(]?((?:\d{1,3}:)?\d{1,2}:\d{2})(?:[.,]\d{1,3})?[\])]?(?=$|[\s\-–—:])[\s\-–—:]*/

const trailing = /^\s*(\p{Lu}[\p{L}\p{M}\p{N}.'’\- ]{0,39}?)[\s([–—-]+((?:\d{1,3}:)?\d{1,2}:\d{2})[\])]?\s*$/u

/** Different lines that must repeat before captions count as rolling. */
const minRepeats = 3

type Format = 'srt' | 'vtt' | 'youtube' | 'plain'

/** A transcript without its timings and markup. */
export interface Transcript {
  readonly format: Format
  readonly turns: readonly Turn[]
  readonly dropped: {
    /** Duplicate words of rolling captions. */
    readonly captionWords: number
    /** Notes such as [Music]. */
    readonly sounds: number
  }
}

/** Detects the format (SRT, WebVTT, YouTube captions or plain text) and extracts speech and speakers. */
export function readTranscript(source: string): Transcript {
  const text = source.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n')
  const { format, cues } = readCues(text)
  let sounds = 0
  const bare = cues.map((cue) => ({
    ...cue,
    lines: cue.lines.map((line) => stripMarkup(line, () => sounds++)).filter((line) => line !== ''),
  }))
  const { cues: kept, words } = collapseRolling(bare)
  return { format, turns: toTurns(kept, format !== 'plain'), dropped: { captionWords: words, sounds } }
}

function readCues(text: string): { format: Format; cues: Cue[] } {
  const youtube = readYoutube(text)
  if (youtube) return { format: 'youtube', cues: youtube }
  const timed = readTimed(text)
  if (timed) return timed
  const stamped = readStamped(text)
  if (stamped) return { format: 'youtube', cues: stamped }
  return { format: 'plain', cues: readPlain(text) }
}

function readPlain(text: string): Cue[] {
  const cues: Cue[] = []
  let apart = false
  for (const line of text.split('\n')) {
    const isBlank = line.trim() === ''
    if (!isBlank) cues.push({ lines: [line], apart })
    apart = isBlank
  }
  return cues
}

/**
 * Rolling captions show each line two or three times: at the bottom, then above the next line. Drops only lines that the
 * previous cue still shows, so lines that are spoken twice stay.
 */
function collapseRolling(cues: readonly Cue[]): { cues: Cue[]; words: number } {
  const filled = cues.filter(({ lines }) => lines.length > 0)
  if (!isRolling(filled)) return { cues: filled, words: 0 }
  let words = 0
  let before: readonly string[] = []
  const kept: Cue[] = []
  for (const cue of filled) {
    const shown = countShown(before, cue.lines)
    words += cue.lines.slice(0, shown).reduce((sum, line) => sum + line.split(' ').length, 0)
    before = cue.lines
    if (shown < cue.lines.length) kept.push({ ...cue, lines: cue.lines.slice(shown) })
    else if (kept.length > 0 && cue.end !== undefined) kept[kept.length - 1] = { ...kept.at(-1)!, end: cue.end }
  }
  return { cues: kept, words }
}

/** Whether enough cues begin with the end of the previous one. Otherwise a repeated line counts as spoken. */
function isRolling(cues: readonly Cue[]): boolean {
  let rolling = 0
  const different = new Set<string>()
  for (const [index, { lines }] of cues.entries()) {
    if (index === 0 || countShown(cues[index - 1]!.lines, lines) === 0) continue
    rolling++
    if (different.size < minRepeats) different.add(lines[0]!)
  }
  return different.size >= minRepeats && rolling * 4 >= cues.length
}

/** How many of the first lines are the last lines of the previous cue. */
function countShown(before: readonly string[], lines: readonly string[]): number {
  for (let count = Math.min(before.length, lines.length, 4); count > 0; count--) {
    if (lines.slice(0, count).every((line, index) => line === before[before.length - count + index])) return count
  }
  return 0
}

/**
 * Reads lines with timestamps: `0:05` alone or before the words, or `Ada 0:05` above them. Undefined if timestamps are
 * rare or out of order, because then they are part of the speech.
 */
function readStamped(text: string): Cue[] | undefined {
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

/** Moves a speaker name from its own line in front of the words. */
function withSpeaker([first, second, ...more]: string[]): string[] {
  if (first === undefined) return []
  if (second === undefined) return [first]
  return first.endsWith(':') ? [`${first} ${second}`, ...more] : [first, second, ...more]
}

function toSeconds(time: string): number {
  return time.split(':').reduce((sum, part) => sum * 60 + Number(part), 0)
}

/** Reads YouTube's native caption formats, XML and JSON; undefined for any other text. */
function readYoutube(text: string): Cue[] | undefined {
  const start = text.trimStart()
  if (/^(?:<\?xml[^>]{0,200}>\s*)?<(?:transcript|timedtext)[\s>]/.test(start)) return readXml(start)
  return /^\{[^{]{0,2000}"events"/.test(start) ? readJson(start) : undefined
}

function readXml(text: string): Cue[] {
  const cues: Cue[] = []
  const opening = /<(text|p)(?:\s[^<>]{0,500})?>/g
  for (let found = opening.exec(text); found; found = opening.exec(text)) {
    const end = text.indexOf(`</${found[1]}>`, opening.lastIndex)
    if (end === -1) break
    const body = text.slice(opening.lastIndex, end)
    cues.push(toCue(decodeHTMLStrict(body.replace(/<\/?s(?:\s[^<>]{0,500})?>/g, ''))))
    opening.lastIndex = end
  }
  return cues
}

function readJson(text: string): Cue[] | undefined {
  try {
    const { events } = JSON.parse(text) as { events: { segs?: { utf8?: unknown }[] }[] }
    return events.map(({ segs = [] }) => toCue(segs.map(({ utf8 }) => String(utf8 ?? '')).join('')))
  } catch {
    return undefined
  }
}

function toCue(words: string): Cue {
  return { lines: words.split('\n').filter((line) => line.trim() !== '') }
}

/** Removes caption markup from a line. Calls `onSound` for each removed sound note, such as [Music]. */
export function stripMarkup(line: string, onSound: () => void): string {
  const named = line.includes('<') ? line.replace(voice, '$1: ').replace(tags, '') : line
  return stripHidden(decodeHTMLStrict(named.replace(positions, '')), 'line')
    .replace(/[\s♪♫]+/g, ' ')
    .replace(sounds, (found) => {
      if (/\p{L}/u.test(found)) onSound()
      return ' '
    })
    .replace(/ {2,}/g, ' ')
    .trim()
}
