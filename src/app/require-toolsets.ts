import { ToolpactError } from '../contract/toolpact-error.ts'
import { ConfigError } from './config/config-error.ts'
import { needsOwn, type ToolCapabilities } from './create-capabilities.ts'
import type { ToolpactOptions } from './toolpact.ts'

/** Lints the program's own tools as `toolpact check` does. Built-in tools have passed already. */
export async function requireConforming(toolsets: ToolpactOptions['toolsets'] = []): Promise<void> {
  const own = toolsets.filter((toolset) => typeof toolset !== 'string')
  if (own.length === 0) return
  const { findNonconforming } = await import('../contract/find-nonconforming.ts')
  const faults = await findNonconforming(own)
  if (faults.length > 0)
    throw new ConfigError(
      `These contracts break the rules, so their tools do not run:\n${faults.join('\n')}\nFix them, or accept them as they are: defineToolset(name, tools, { strict: false }).`,
    )
}

/** A tool of the program with an unmet need could never be called. */
export async function requireNeedsMet(
  toolsets: ToolpactOptions['toolsets'] = [],
  provide: ToolCapabilities['provide'],
) {
  const own = toolsets.filter((toolset) => typeof toolset !== 'string').filter(needsOwn)
  if (own.length === 0) return
  const { withNeedsMet } = await import('./meet-needs.ts')
  for (const toolset of own) {
    const { withheld = [] } = await withNeedsMet(toolset, provide)
    const unmet = withheld.find(({ name }) => toolset.tools.some(({ contract }) => contract.name === name))
    if (unmet) throw new ToolpactError('invalid_contract', `The tool '${toolset.name}.${unmet.name}' cannot be used. ${unmet.reasons.join('. ')}.`) // biome-ignore format: one line
  }
}
