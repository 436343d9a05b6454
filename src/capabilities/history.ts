/** The commands that one caller ran in one session. */
export interface History {
  last(): Promise<LastCommand | undefined>
  /** Takes the place of the one before. */
  remember(command: LastCommand): Promise<void>
}

export type LastCommand = {
  readonly command: string
  /** Null where a signal ended the command. */
  readonly exit_code: number | null
  /** ISO time. */
  readonly executed_at: string
  /** What it wrote, shortened. */
  readonly output: string
}
