export type Format = 'srt' | 'vtt' | 'youtube' | 'plain'

/** What one speaker says in one go, or a paragraph where nobody is named. */
export interface Turn {
  /** As it stands before what is said: `Ada:`, `>>`, `-`. */
  readonly label?: string
  readonly text: string
  /** Whether a blank line goes before it. */
  readonly apart: boolean
}

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
