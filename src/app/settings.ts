import type { Capabilities } from '../capabilities/capabilities.ts'
import { isObject, type JsonObject, type JsonSchema } from '../contract/json.ts'
import type { Modes } from '../policy/decide.ts'
import type { CatalogSettings, ToolsetLoaders } from '../runtime/pipeline/catalog.ts'
import type { StepSettings } from '../runtime/pipeline/pipeline-options.ts'
import type { Config } from './config/config.ts'
import { type OpenedConfig, openConfig } from './config/open-config.ts'
import type { SettingsSchema } from './config/toolset-settings.ts'
import type { ConfigTrust } from './config/trust.ts'
import type { ContractFolders, FolderEntry, FoldersContext } from './contract-folders/open-contract-folders.ts'
import { pickServers } from './host.ts'
import type { ToolpactOptions } from './toolpact.ts'
import { requireServers, type ToolsetChoice, withFolders } from './toolset-choice.ts'

/** Everything derived from the options and the config. Replaced as a whole when the config changes. */
export interface Settings {
  readonly config: Config
  /** The source of the config; undefined if there is none. */
  readonly opened: OpenedConfig | undefined
  readonly notices: readonly string[]
  /** Toolsets that do not come from servers. */
  readonly toolsets: ToolsetLoaders<Capabilities>
  readonly servers: ReturnType<typeof pickServers>
  /** Applies the limits of the config to contracts. */
  readonly limit: (loaders: ToolsetLoaders<Capabilities>) => ToolsetLoaders<Capabilities>
  readonly catalog: CatalogSettings
  readonly modes: Modes
  readonly steps: StepSettings
  readonly folders: ContractFolders | undefined
  /** The config file and contract folders, which tools must not write: their content takes effect at the next start. */
  readonly protectedPaths: readonly string[]
}

interface SettingsContext extends FoldersContext {
  readonly picked: ToolsetChoice
  readonly trust: ConfigTrust
  readonly stateDirectory: () => string
  /** The current settings, if the config is reloaded. Contract folders are not reloaded. */
  readonly running?: Settings
}

/** Reads the config and derives the settings. Rejects with a ConfigError if it cannot be used. */
export async function loadSettings(options: ToolpactOptions, context: SettingsContext): Promise<Settings> {
  const { picked, trust, stateDirectory, running } = context
  const all = await openConfig(options, { trust, stateDirectory, running: running?.opened })
  const contracts = [...(options.contracts ?? []), ...(all?.config.contracts ?? [])]
  const folders = running ? running.folders : await openFolders(contracts, context)
  const choice = folders ? withFolders(picked, folders.loaders) : picked
  const opened = all && withoutTaken(all, choice.known)
  // Loaded on demand: most programs have no config.
  const applied = opened && (await (await import('./config/apply-config.ts')).applyConfig(opened, choice))
  const { config, faults } = await resolveSettings(options, { opened, choice, folders })
  requireServers(choice, Object.keys(config.mcpServers ?? {}))
  const { offered, notices } = toOffered(options, { config, opened, choice, folders })
  return {
    config,
    opened,
    notices: [...(applied?.notices ?? []), ...notices, ...(running ? [] : (folders?.notices ?? []))],
    toolsets: await withFaults(offered, faults),
    servers: pickServers(config, choice.chosen ? choice.others : config.toolsets),
    limit: applied?.limit ?? ((loaders) => loaders),
    catalog: applied?.catalog ?? {},
    modes: {
      ...toModes(config.policy, options.policy),
      followsData: (config.policy?.dataFlow ?? (options.dataFlow ? 'ask' : 'off')) === 'ask',
    },
    steps: toSteps(config.policy, options.policy),
    folders,
    protectedPaths: [
      ...toConfigFiles(options, all),
      ...contracts.map((entry) => (typeof entry === 'string' ? entry : entry.path)),
    ],
  }
}

/** The folder that tools work in. For a tenant, the workspace in the options is only where the config was found. */
export function toNamedWorkspace({ workspace }: ToolpactOptions, { config, opened }: Settings): string {
  const ofTenant = opened?.tenant === undefined ? undefined : config.workspace
  return ofTenant ?? workspace ?? config.workspace ?? '.'
}

interface SettingsParts {
  readonly opened: OpenedConfig | undefined
  readonly choice: ToolsetChoice
  readonly folders: ContractFolders | undefined
}

interface OfferParts extends SettingsParts {
  readonly config: Config
}

/** The config with the settings of toolsets, which can be checked once all toolsets are known. */
async function resolveSettings({ settings: overrides, toolsets }: ToolpactOptions, parts: SettingsParts) {
  const { opened, choice, folders } = parts
  const { config = {} } = opened ?? {}
  const own = (toolsets ?? []).filter((toolset) => typeof toolset !== 'string')
  const hasOwn = own.some(({ settings }) => settings) || Object.keys(folders?.settings ?? {}).length > 0
  // Most programs have neither, and then what checks them is not loaded.
  if (!opened && !overrides && !hasOwn) return { config, faults: {} }
  const { applyToolsetSettings } = await import('./config/toolset-settings.ts')
  const { toolsetSettings } = await import('../toolsets/settings.ts')
  const schemas: { [name: string]: SettingsSchema } = {}
  for (const name of Object.keys(choice.known))
    schemas[name] = { schema: (toolsetSettings as { [name: string]: JsonSchema })[name], from: 'toolpact' }
  for (const { name, settings } of own) schemas[name] = { schema: settings, from: 'program' }
  for (const name of Object.keys(folders?.loaders ?? {}))
    schemas[name] = { schema: folders!.settings[name], from: 'folder' }
  return applyToolsetSettings(config, { opened, overrides: overrides ?? {}, toolsets: schemas })
}

/** The toolsets to offer, without those of MCP servers. */
function toOffered({ offer, settings = {} }: ToolpactOptions, { config, opened, choice, folders }: OfferParts) {
  const { known, chosen } = choice
  if (chosen) return { offered: chosen, notices: [] }
  const isConfigured = (name: string) =>
    // The name may be that of another setting, such as workspace, which is not an object.
    isObject((config as JsonObject)[name]) || Object.hasOwn({ ...settings, ...folders?.loaders }, name)
  const hasAny = [...Object.keys(config.mcpServers ?? {}), ...Object.keys(known).filter(isConfigured)].length > 0
  const unnamed = offer === 'chosen' ? pick(known, hasAny ? isConfigured : (name) => name === 'workspace') : known
  const { toolsets } = config
  if (!toolsets) return { offered: unnamed, notices: [] }
  // A config that is not trusted can only take away.
  const from = opened!.trusted || opened!.own?.toolsets ? known : unnamed
  // In the order of the config.
  const named = toolsets.filter((name) => Object.hasOwn(from, name)).map((name) => [name, from[name]!])
  const offered = Object.fromEntries(named) as ToolsetLoaders<Capabilities>
  const lost = toolsets.filter((name) => Object.hasOwn(known, name) && !Object.hasOwn(offered, name))
  const notice = `${opened!.source} is not trusted, so these of its toolsets are not offered: ${lost.join(', ')}. Review it with toolpact trust.`
  return { offered, notices: lost.length > 0 ? [notice] : [] }
}

function pick(loaders: ToolsetLoaders<Capabilities>, isWanted: (name: string) => boolean) {
  return Object.fromEntries(Object.entries(loaders).filter(([name]) => isWanted(name)))
}

/** Toolsets whose settings cannot be used have no tools, and say why. */
async function withFaults(
  loaders: ToolsetLoaders<Capabilities>,
  faults: { readonly [toolset: string]: string },
): Promise<ToolsetLoaders<Capabilities>> {
  const faulty = Object.entries(faults).filter(([name]) => Object.hasOwn(loaders, name))
  if (faulty.length === 0) return loaders
  const { withhold } = await import('./meet-needs.ts')
  const withheld = faulty.map(([name, reason]) => [name, async () => withhold(await loaders[name]!(), () => reason)])
  return { ...loaders, ...Object.fromEntries(withheld) }
}

/** A config that was passed as an object is not a file. */
function toConfigFiles({ config }: ToolpactOptions, opened: OpenedConfig | undefined): string[] {
  const ofTenant = opened?.tenant === undefined ? [] : [opened.source]
  if (config !== undefined) return [...(typeof config === 'string' ? [config] : []), ...ofTenant]
  return opened?.found ? [opened.found.source] : []
}

/** A toolset of this folder takes precedence over a server that is configured for every folder. */
function withoutTaken(opened: OpenedConfig, known: ToolsetLoaders<never>): OpenedConfig {
  const { config, everywhere, notices } = opened
  const taken = Object.keys(everywhere?.mcpServers ?? {}).filter(
    (name) => Object.hasOwn(known, name) && config.mcpServers![name] === everywhere!.mcpServers![name],
  )
  if (taken.length === 0) return opened
  const kept = Object.entries(config.mcpServers!).filter(([name]) => !taken.includes(name))
  return {
    ...opened,
    config: Object.freeze({ ...config, mcpServers: Object.freeze(Object.fromEntries(kept)) }),
    notices: [...notices, ...taken.map((name) => `The server ${name} of every folder is not used here: this folder has a toolset of that name.`)], // biome-ignore format: one line
  }
}

/** Loaded on demand: most programs have no contract folders. */
async function openFolders(entries: readonly (string | FolderEntry)[], context: FoldersContext) {
  if (entries.length === 0) return undefined
  return (await import('./contract-folders/open-contract-folders.ts')).openContractFolders(entries, context)
}

/** Options may tighten the config, never loosen it. */
function toModes(config: Modes = {}, options: Modes = {}): Modes {
  return {
    askAll: config.askAll || options.askAll,
    readOnly: config.readOnly || options.readOnly,
  }
}

function toSteps(config: StepSettings = {}, options: StepSettings = {}): StepSettings {
  return {
    singleStep: config.singleStep || options.singleStep,
    requireQuery: config.requireQuery,
  }
}
