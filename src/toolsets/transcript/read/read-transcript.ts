import { collapseRolling } from './collapse-rolling.ts'
import { readStamped } from './read-stamped.ts'
import { type Cue, readTimed } from './read-timed.ts'
import { readYoutube } from './read-youtube.ts'
import { stripMarkup } from './strip-markup.ts'
import { type Turn, toTurns } from './to-turns.ts'

type Format = 'srt' | 'vtt' | 'youtube' | 'plain'

/** A transcript without its timings and markup. */
export interface Transcript {
  readonly format: Format
  readonly turns: readonly Turn[]
  readonly dropped: {
    /** Words that captions showed again while they rolled on. */
    readonly captionWords: number
    /** Notes such as [Music]. */
    readonly sounds: number
  }
}

/** Tells what a text is (SRT, WebVTT, captions of YouTube, or plain) and takes out of it what was said, and by whom. */
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
