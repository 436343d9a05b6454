import { toFaults } from './lint/faults.ts'
import { lintToolset } from './lint-contract.ts'
import type { Toolset } from './tool.ts'

const maxTools = 10

/** Returns a sentence for each tool whose contract has lint errors. Skips toolsets with `strict: false`. */
export async function findNonconforming(toolsets: readonly Toolset<never>[]): Promise<string[]> {
  const found: string[] = []
  for (const toolset of toolsets) {
    if (toolset.strict === false) continue
    const problems = await lintToolset(toolset)
    for (const [index, { contract }] of toolset.tools.entries()) {
      const place = `/tools/${index}/contract/`
      const own = problems
        .filter(({ pointer }) => pointer.startsWith(place))
        .map((problem) => ({ ...problem, pointer: problem.pointer.slice(place.length - 1) }))
      const faults = toFaults(own)
      if (faults.length > 0) found.push(`${toolset.name}.${contract.name}: ${faults.join('. ')}.`)
    }
  }
  const more = found.length - maxTools
  return more > 0 ? [...found.slice(0, maxTools), `There are ${more} more such tools.`] : found
}
