import type { Toolpact } from '../app.ts'
import type { Contract } from '../contract/contract.ts'
import type { Caller } from '../contract/tool.ts'
import { UsageError } from './command.ts'

/** Finds the tool that a person named, or says what they may have meant: any tool, or one that this caller may use. */
export async function findTool(
  { catalog }: Toolpact,
  name: string,
  caller?: Caller,
): Promise<{ id: string; contract: Contract }> {
  const found = await catalog.find(name, caller)
  switch (found.kind) {
    case 'found':
      return { id: found.id, contract: found.tool.contract }
    case 'ambiguous':
      throw new UsageError(`Several toolsets have a tool '${name}'.`, `Use one of ${found.choices.join(', ')}.`)
    case 'withheld':
      throw new UsageError(`'${found.id}' is withheld: ${found.reasons.join('; ')}.`)
    case 'unknown':
      throw new UsageError(
        `There is no tool '${name}'.`,
        found.nearest ? `Did you mean ${found.nearest}?` : 'toolpact list shows the tools.',
      )
  }
}
