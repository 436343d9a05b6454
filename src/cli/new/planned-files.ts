/** What `toolpact new` would write. */
export interface PlannedFiles {
  /** Id of the tool, such as `tools.read_note`. */
  readonly id: string
  readonly created: readonly PlannedFile[]
  /** Existing files with their new text. */
  readonly changed: readonly PlannedFile[]
  /** Next steps for the author, in order. */
  readonly next: readonly string[]
}

interface PlannedFile {
  readonly path: string
  readonly text: string
  /** Short description. */
  readonly about: string
}
