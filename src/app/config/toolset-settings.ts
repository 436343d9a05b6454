import { deepFreeze } from '../../contract/deep-freeze.ts'
import { isObject, type JsonObject, type JsonSchema } from '../../contract/json.ts'
import { loadValidator } from '../../contract/schema/load-validator.ts'
import { nearest } from '../../contract/text/nearest.ts'
import { formerKeys, toolsetSettings } from '../../toolsets/settings.ts'
import { type Config, toInvalid, toText } from './config.ts'
import { ConfigError } from './config-error.ts'
import { configSchema } from './config-schema.ts'
import type { OpenedConfig } from './open-config.ts'

/** Settings of toolsets by name, over those of the config. */
type SettingsOverrides = { readonly [toolset: string]: JsonObject }

/** What is known about the settings of a toolset. */
export interface SettingsSchema {
  /** Undefined: it has no settings. */
  readonly schema: JsonSchema | undefined
  /** A fault withholds the tools of a `folder` of the operator, and is no reason not to start. */
  readonly from: 'toolpact' | 'program' | 'folder'
}

interface SettingsSources {
  /** The config as it was opened; undefined where there is none. */
  readonly opened: Pick<OpenedConfig, 'keys' | 'source' | 'isPart' | 'advice'> | undefined
  readonly overrides: SettingsOverrides
  /** Every toolset that there is. */
  readonly toolsets: { readonly [name: string]: SettingsSchema }
}

export interface AppliedSettings {
  /** The config with the settings of toolsets as they hold. */
  readonly config: Config
  /** Why the settings of a folder's toolset cannot be used, by its name. */
  readonly faults: { readonly [toolset: string]: string }
}

/** Checks the settings of toolsets, once all toolsets are known, and puts the overrides over them. */
export async function applyToolsetSettings(config: Config, sources: SettingsSources): Promise<AppliedSettings> {
  const { toolsets, overrides, opened } = sources
  if (opened) requireKnownKeys(opened, config, toolsets)
  for (const name of Object.keys(overrides)) requireSettings(name, toolsets)
  const applied: { [toolset: string]: JsonObject } = {}
  const faults: { [toolset: string]: string } = {}
  for (const [name, { schema, from }] of Object.entries(toolsets)) {
    // The config was checked with the settings of built-in toolsets.
    if (!schema || (from === 'toolpact' && !Object.hasOwn(overrides, name))) continue
    const merged = mergeSettings(readSettings(config, name), overrides[name] ?? {})
    const checked = isTaken(name, from) ? toTaken(name) : await checkSettings(name, schema, merged)
    if (typeof checked !== 'string') applied[name] = checked
    else if (from === 'folder') faults[name] = checked
    else throw new ConfigError(`${checked}.`)
  }
  return { config: Object.freeze({ ...config, ...applied }), faults }
}

/** What a config has for a toolset. */
export function readSettings(config: Config, toolset: string): JsonObject {
  // The name of a toolset may be that of another setting, such as workspace. Then it has no settings.
  const value = (config as { readonly [key: string]: unknown })[toolset]
  return isObject(value) ? value : {}
}

/** Valid settings with their defaults, or a sentence without its stop that tells why they are not valid. */
export async function checkSettings(name: string, schema: JsonSchema, value: JsonObject): Promise<JsonObject | string> {
  const settings = structuredClone(value)
  try {
    const problems = await (await loadValidator(schema, { useDefaults: true })).validate(settings)
    if (problems.length === 0) return deepFreeze(settings)
    return `The settings of toolset '${name}' are not valid: ${toText(problems)}`.replace(/\.$/, '')
  } catch (cause) {
    return `The schema for the settings of toolset '${name}' cannot be used: ${(cause as Error).message}`.replace(/\.$/, '') // biome-ignore format: one line
  }
}

/** Objects are merged key by key; everything else is replaced. */
export function mergeSettings(base: JsonObject, over: JsonObject): JsonObject {
  const merged = { ...base }
  for (const [key, value] of Object.entries(over)) {
    const before = Object.hasOwn(base, key) ? base[key] : undefined
    const isBoth = isObject(before) && isObject(value)
    Object.defineProperty(merged, key, {
      value: isBoth ? mergeSettings(before, value) : value,
      enumerable: true,
      configurable: true,
      writable: true,
    })
  }
  return merged
}

type Toolsets = SettingsSources['toolsets']

function isTaken(name: string, from: SettingsSchema['from']): boolean {
  const isOther = Object.hasOwn(configSchema.properties, name) && !Object.hasOwn(toolsetSettings, name)
  return from !== 'toolpact' && isOther
}

function toTaken(name: string): string {
  return `The toolset '${name}' cannot have settings: the config has another setting of that name. Rename the toolset`
}

function requireKnownKeys(opened: NonNullable<SettingsSources['opened']>, config: Config, toolsets: Toolsets): void {
  // A toolset that waits for trust may have that name.
  if (opened.isPart) return
  const others = opened.keys.filter((key) => !Object.hasOwn(configSchema.properties, key))
  const faults = others.flatMap((key) => findUnknownKey(key, config, toolsets))
  if (faults.length > 0) throw toInvalid(opened.source, [...faults, opened.advice].join(' ').trim())
}

function findUnknownKey(key: string, { mcpServers = {} }: Config, toolsets: Toolsets): string[] {
  const found = Object.hasOwn(toolsets, key) ? toolsets[key] : undefined
  if (found?.schema) return []
  if (found) return [`/${key}: The toolset '${key}' has no settings. Remove this key.`]
  if (Object.hasOwn(mcpServers, key))
    return [`/${key}: The settings of the server '${key}' belong into /mcpServers/${key}.`]
  const close = nearest(key, [...Object.keys(configSchema.properties), ...withSettings(toolsets)])
  const advice = close === undefined ? `Toolsets with settings are ${withSettings(toolsets).join(', ')}.` : `Did you mean "${close}"?` // biome-ignore format: one line
  return [`/${key}: There is no such setting, and no toolset of that name. ${advice}`]
}

function requireSettings(name: string, toolsets: Toolsets): void {
  const found = Object.hasOwn(toolsets, name) ? toolsets[name] : undefined
  if (found?.schema) return
  const names = withSettings(toolsets)
  if (found) throw new ConfigError(`The toolset '${name}' has no settings. Toolsets with settings are ${names.join(', ')}.`) // biome-ignore format: one line
  const close = Object.hasOwn(formerKeys, name) ? formerKeys[name as keyof typeof formerKeys] : nearest(name, names)
  throw new ConfigError(
    `There is no toolset '${name}' with settings. ${close ? `Did you mean ${close}?` : `Use one of ${names.join(', ')}.`}`,
  )
}

function withSettings(toolsets: Toolsets): string[] {
  return Object.keys(toolsets).filter((name) => toolsets[name]!.schema)
}
