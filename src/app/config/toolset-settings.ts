import { deepFreeze } from '../../contract/deep-freeze.ts'
import { isObject, type JsonObject, type JsonSchema } from '../../contract/json.ts'
import { loadValidator } from '../../contract/schema/load-validator.ts'
import { nearest } from '../../contract/text/nearest.ts'
import { formerKeys, toolsetSettings } from '../../toolsets/settings.ts'
import { type Config, toInvalid, toText } from './config.ts'
import { ConfigError } from './config-error.ts'
import { configSchema } from './config-schema.ts'
import type { OpenedConfig } from './open-config.ts'

/** Settings of toolsets by name, which override those of the config. */
type SettingsOverrides = { readonly [toolset: string]: JsonObject }

/** Describes the settings of a toolset. */
export interface SettingsSchema {
  /** Undefined: it has no settings. */
  readonly schema: JsonSchema | undefined
  /** A fault in a contract `folder` withholds its tools, and does not prevent the start. */
  readonly from: 'toolpact' | 'program' | 'folder'
}

interface SettingsSources {
  /** The opened config; undefined if there is none. */
  readonly opened: Pick<OpenedConfig, 'keys' | 'source' | 'isPart' | 'advice'> | undefined
  readonly overrides: SettingsOverrides
  /** All toolsets. */
  readonly toolsets: { readonly [name: string]: SettingsSchema }
}

export interface AppliedSettings {
  /** The config with the effective settings of toolsets. */
  readonly config: Config
  /** Why the settings of a folder's toolset cannot be used, by its name. */
  readonly faults: { readonly [toolset: string]: string }
}

/** Validates the settings of toolsets, once all are known, and applies the overrides. */
export async function applyToolsetSettings(config: Config, sources: SettingsSources): Promise<AppliedSettings> {
  const { toolsets, overrides, opened } = sources
  if (opened) requireKnownKeys(opened, config, toolsets)
  for (const name of Object.keys(overrides)) requireSettings(name, toolsets)
  const applied: { [toolset: string]: JsonObject } = {}
  const faults: { [toolset: string]: string } = {}
  for (const [name, { schema, from }] of Object.entries(toolsets)) {
    // Settings of built-in toolsets were validated with the config.
    if (!schema || (from === 'toolpact' && !Object.hasOwn(overrides, name))) continue
    const merged = mergeSettings(readSettings(config, name), overrides[name] ?? {})
    const checked = isTaken(name, from) ? toTaken(name) : await checkSettings(name, schema, merged)
    if (typeof checked !== 'string') applied[name] = checked
    else if (from === 'folder') faults[name] = checked
    else throw new ConfigError(`${checked}.`)
  }
  return { config: Object.freeze({ ...config, ...applied }), faults }
}

/** The settings of a toolset in a config. */
export function readSettings(config: Config, toolset: string): JsonObject {
  // The name of a toolset may be that of another setting, such as workspace. Then it has no settings.
  const value = (config as { readonly [key: string]: unknown })[toolset]
  return isObject(value) ? value : {}
}

/** The settings with defaults, or why they are not valid: a sentence without its period. */
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

/** Merges objects by key, and replaces everything else. */
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
  // A toolset that needs trust may have this name.
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
