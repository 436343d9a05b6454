import type { ConfigOptions } from '../../app/config/open-config.ts'
import type { Options } from './command.ts'

/** Which config, and which of its tenants, the options choose. */
export function toConfigOptions({ config, workspace, tenant, 'no-config': noConfig }: Options): ConfigOptions {
  return {
    discover: !noConfig,
    ...(config !== undefined && { config }),
    ...(workspace !== undefined && { workspace }),
    ...(tenant !== undefined && { tenant }),
  }
}
