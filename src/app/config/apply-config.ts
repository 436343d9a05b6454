import { statSync } from 'node:fs'
import type { Capabilities } from '../../capabilities/capabilities.ts'
import type { CatalogSettings, ToolsetLoaders } from '../../runtime/pipeline/catalog.ts'
import type { ToolsetChoice } from '../toolset-choice.ts'
import { toRightsOf } from './callers.ts'
import { ConfigError } from './config-error.ts'
import { tellForeignKeys } from './foreign-keys.ts'
import { withLimits } from './limits.ts'
import type { OpenedConfig } from './open-config.ts'
import { findUnknownNames } from './unknown-names.ts'

export interface AppliedConfig {
  readonly loaders: ToolsetLoaders<Capabilities>
  /** Puts the limits of the config into contracts. */
  readonly limit: (loaders: ToolsetLoaders<Capabilities>) => ToolsetLoaders<Capabilities>
  /** Who may use which tools, and how these are named. */
  readonly catalog: CatalogSettings
  readonly notices: readonly string[]
}

/** What a config means for the tools: which are served, within which limits, and to whom. */
export async function applyConfig(
  { config, found, own, source, trusted, isPart, advice, notices }: OpenedConfig,
  { known, chosen }: ToolsetChoice,
): Promise<AppliedConfig> {
  const { toolsets, callers, names, workspace } = config
  const faults = isPart ? [] : await findUnknownNames(config, known)
  if (workspace !== undefined && !statSync(workspace, { throwIfNoEntry: false })?.isDirectory())
    faults.push(`/workspace: ${workspace} is not a folder. Make it, or name another.`)
  if (faults.length > 0)
    throw new ConfigError(`The config ${source} is not valid: ${[...faults, advice].join(' ').trim()}`)
  return {
    loaders: chosen ?? pick(known, toolsets),
    limit: (loaders) => {
      const limited = withLimits(loaders, found?.config.limits ?? {}, { onlyLower: !trusted })
      return withLimits(limited, own?.limits ?? {}, { onlyLower: false })
    },
    catalog: { ...(callers && { rightsOf: toRightsOf(callers) }), ...(names && { names }) },
    notices: [...notices, ...tellForeignKeys(config).map((words) => `${source}: ${words}`)],
  }
}

/** Those of MCP servers come beside these. */
function pick(known: ToolsetLoaders<Capabilities>, names: readonly string[] | undefined): ToolsetLoaders<Capabilities> {
  if (!names) return known
  return Object.fromEntries(names.filter((name) => Object.hasOwn(known, name)).map((name) => [name, known[name]!]))
}
