/** What captions show at one time, or a line of a text without times. */
export interface Cue {
  readonly lines: readonly string[]
  /** In milliseconds, where it is known. */
  readonly start?: number
  readonly end?: number
  /** A blank line goes before it. */
  readonly apart?: boolean
}
