import type { Caller, ToolsetContext } from '../../../contract/tool.ts'

/** The last command that each caller ran in each session. */
export interface History {
  last(caller: Caller): Promise<LastCommand | undefined>
  /** Replaces the previous one. */
  remember(caller: Caller, command: LastCommand): Promise<void>
}

export type LastCommand = {
  readonly command: string
  /** Null if the command was killed by a signal. */
  readonly exit_code: number | null
  /** ISO time. */
  readonly executed_at: string
  /** Its output, shortened. */
  readonly output: string
}

export function openHistory({ notes, workspace }: Pick<ToolsetContext, 'notes' | 'workspace'>): History {
  const toKey = ({ name, session }: Caller) => JSON.stringify(['last command', workspace, name, session ?? null])
  return {
    last: async (caller) => (await notes.get(toKey(caller))) as LastCommand | undefined,
    remember: (caller, command) => notes.set(toKey(caller), command),
  }
}
