import type { JsonObject } from '../contract/json.ts'
import type { Toolset } from '../contract/tool.ts'
import { createRedactor } from '../policy/redact.ts'
import { maxEvidenceCharacters } from '../runtime/pipeline/to-evidence.ts'
import type { Config } from './config/config.ts'
import { ConfigError } from './config/config-error.ts'
import { type CreateOptions, createCapabilities } from './create-capabilities.ts'
import { keepsState } from './open-storage.ts'
import type { Settings } from './settings.ts'
import type { ToolpactOptions } from './toolpact.ts'

/** Limit for one stage of a run. A plan that is stored unabridged can be replayed. */
const maxStepCharacters = 65_536

export interface CallPartsOptions
  extends Pick<CreateOptions, 'workspace' | 'root' | 'stateDirectory' | 'notes' | 'onListChange' | 'keep'> {
  readonly options: ToolpactOptions
  /** The path of `toolpact.lock`. */
  readonly lockPath: string
}

/** The parts of the config that calls use: capabilities, and what hides secrets. */
export function toCallParts({ config, protectedPaths, toolsets }: Settings, parts: CallPartsOptions) {
  const { options, lockPath, ...places } = parts
  const secrets = { environment: process.env, names: config.redact ?? [] }
  let redactStep: ReturnType<typeof createRedactor> | undefined
  return {
    ...createCapabilities(config, {
      ...places,
      toolsets,
      settingsOf: (toolset) => readToolsetSettings(config, toolset, options),
      protectedPaths: [...protectedPaths, lockPath],
      keepsState: keepsState(options),
    }),
    redact: createRedactor(secrets),
    redactEvidence: createRedactor({ ...secrets, maxCharacters: maxEvidenceCharacters }),
    redactStep(details: JsonObject): JsonObject {
      redactStep ??= createRedactor({ ...secrets, maxCharacters: maxStepCharacters })
      return redactStep(details) as JsonObject
    },
  }
}

/** The settings that `toCallParts` reads, besides those of toolsets. Unless one changes, opened resources stay open. */
export const callKeys: readonly (keyof Config)[] = ['policy', 'redact', 'model']

/** The settings of a toolset as they hold. */
async function readToolsetSettings(
  config: Config,
  { name, settings: schema, testSettings = {} }: Toolset<never>,
  { repeatable, settings: overrides = {} }: ToolpactOptions,
): Promise<JsonObject> {
  const { checkSettings, mergeSettings, readSettings } = await import('./config/toolset-settings.ts')
  const given = readSettings(config, name)
  const merged = repeatable ? mergeSettings(mergeSettings(given, testSettings), overrides[name] ?? {}) : given
  const checked = await checkSettings(name, schema!, merged)
  if (typeof checked === 'string') throw new ConfigError(`${checked}.`)
  return checked
}
