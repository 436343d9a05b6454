/** What `toolpact new` is about to do, before it touches anything. */
export interface PlannedFiles {
  /** Of the tool, such as `tools.read_note`. */
  readonly id: string
  readonly created: readonly PlannedFile[]
  /** Files that are there, with their text as it will be. */
  readonly changed: readonly PlannedFile[]
  /** What the author does then: sentences and commands, in order. */
  readonly next: readonly string[]
}

interface PlannedFile {
  readonly path: string
  readonly text: string
  /** What it is for, in a few words. */
  readonly about: string
}
