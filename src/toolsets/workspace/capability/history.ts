import type { Caller, ToolsetContext } from '../../../contract/tool.ts'

/** The last command that each caller ran in each session. */
export interface History {
  last(caller: Caller): Promise<LastCommand | undefined>
  /** Replaces the one before. */
  remember(caller: Caller, command: LastCommand): Promise<void>
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

export function openHistory({ notes, workspace }: Pick<ToolsetContext, 'notes' | 'workspace'>): History {
  const toKey = ({ name, session }: Caller) => JSON.stringify(['last command', workspace, name, session ?? null])
  return {
    last: async (caller) => (await notes.get(toKey(caller))) as LastCommand | undefined,
    remember: (caller, command) => notes.set(toKey(caller), command),
  }
}
