import { commonCapabilities } from '../capabilities/capabilities.ts'
import { nearest } from '../contract/text/nearest.ts'
import type { Tool, Toolset } from '../contract/tool.ts'
import { toWords } from './contract-folders/import-module.ts'
import { isCommon, needsOwn } from './create-capabilities.ts'

type Provide = (toolset: Toolset<never>) => Promise<object>

/** Withholds tools that need an unavailable capability, with the reason. */
export async function withNeedsMet<Set extends Toolset<never>>(toolset: Set, provide: Provide): Promise<Set> {
  if (!needsOwn(toolset)) return toolset
  try {
    const own = await provide(toolset)
    return withhold(toolset, (tool) => findUnmet(tool, Object.keys(own)))
  } catch (cause) {
    return withhold(toolset, () => `What its toolset provides could not be opened: ${toWords(cause)}`)
  }
}

/** Removes the tools that have a reason to be withheld. */
export function withhold<Set extends Toolset<never>>(
  toolset: Set,
  findReason: (tool: Tool<never>) => string | undefined,
): Set {
  const judged = toolset.tools.map((tool) => ({ tool, reason: findReason(tool) }))
  return Object.freeze({
    ...toolset,
    tools: judged.flatMap(({ tool, reason }) => (reason === undefined ? [tool] : [])),
    withheld: [
      ...(toolset.withheld ?? []),
      ...judged.flatMap(({ tool, reason }) =>
        reason === undefined ? [] : [{ name: tool.contract.name, reasons: [reason] }],
      ),
    ],
  })
}

function findUnmet({ needs = [] }: Tool<never>, own: readonly string[]): string | undefined {
  const taken = own.find(isCommon)
  if (taken !== undefined) return `Its toolset provides '${taken}', which is the name of a common capability. Rename it`
  const unmet = needs.find((need) => !isCommon(need) && !own.includes(need))
  if (unmet === undefined) return undefined
  const known = [...commonCapabilities, ...own]
  const close = nearest(unmet, known)
  return `It needs '${unmet}', which is not available. ${close === undefined ? '' : `Did you mean ${close}? `}Available are ${known.join(', ')}`
}
