import type { Cue } from './read-timed.ts'

/** A speaker's uninterrupted speech, or a paragraph if the transcript names no speakers. */
export interface Turn {
  /** The speaker label as written: `Ada:`, `>>`, `-`. */
  readonly label?: string
  readonly text: string
  /** Preceded by a blank line. */
  readonly apart: boolean
}

/** `Ada:`, `DR. ADA KING:`, `[Speaker 2]:` at the beginning of a line; `>>` and `-` mark a change of speaker. */
const label =
  /^(?:(>{2,3})\s*|([-–])\s+)?((?:\[[^[\]:]{1,40}\]|\p{Lu}[\p{L}\p{M}\p{N}.'’_-]{0,30}(?: [\p{L}\p{N}(#][\p{L}\p{M}\p{N}.'’()_#-]{0,30}){0,3})\s?:(?=\s|$))?\s*/u
const pauseMs = 3000

/** Joins the lines of cues by speaker. A long pause between captions starts a new paragraph. */
export function toTurns(cues: readonly Cue[], isTimed: boolean): Turn[] {
  const turns: { label?: string; parts: string[]; apart: boolean }[] = []
  let end: number | undefined
  for (const cue of cues) {
    const paused = end !== undefined && cue.start !== undefined && cue.start - end >= pauseMs
    end = cue.end
    let apart = cue.apart ?? paused
    for (const line of cue.lines.flatMap(splitAtMarks)) {
      const { found, text } = splitLabel(line, isTimed)
      const last = turns.at(-1)
      const isSame = found === undefined || (isTimed && found === last?.label && /\p{L}/u.test(found))
      if (last && isSame && !apart) last.parts.push(text)
      else turns.push({ ...(found !== undefined && { label: found }), parts: [text], apart: isTimed || apart })
      apart = false
    }
  }
  return turns
    .map(({ parts, ...turn }) => ({ ...turn, text: parts.filter((part) => part !== '').join(' ') }))
    .filter(({ label, text }) => text !== '' || label !== undefined)
}

/** `>>` may mark a change of speaker in the middle of a line. */
function splitAtMarks(line: string): string[] {
  return line.includes('>>') ? line.split(/\s+(?=>{2,3})/) : [line]
}

function splitLabel(line: string, isTimed: boolean): { found?: string; text: string } {
  const [whole = '', arrows, dash, name] = label.exec(line) ?? []
  const mark = arrows ?? (isTimed || name ? dash : undefined)
  const found = [mark, name?.replace(/\s?:$/, ':')].filter((part) => part !== undefined).join(' ')
  return found === '' ? { text: line } : { found, text: line.slice(whole.length) }
}
