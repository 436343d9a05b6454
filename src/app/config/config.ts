import { readFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { deepFreeze } from '../../contract/deep-freeze.ts'
import type { Infer, InferInput } from '../../contract/infer.ts'
import { isObject, type JsonObject } from '../../contract/json.ts'
import { validateByProperty } from '../../contract/schema/load-validator.ts'
import { parseJson } from '../../contract/schema/parse-json.ts'
import { nearest } from '../../contract/text/nearest.ts'
import type { Problem } from '../../contract/tool-error.ts'
import { formerKeys } from '../../toolsets/settings.ts'
import { ConfigError } from './config-error.ts'
import { configSchema } from './config-schema.ts'
import { toIssuers } from './issuers.ts'

type Known = Omit<typeof configSchema, 'additionalProperties'> & { readonly additionalProperties: false }

type Settings = Infer<Known>

/** A checked config, with defaults. */
export type Config = Frozen<Settings>

/** A config as written: settings with a default may be omitted. */
export type ConfigSource = Frozen<InferInput<Known>>

type Frozen<T> = T extends object ? { readonly [Key in keyof T]: Frozen<T[Key]> } : T

export const maxConfigBytes = 1_048_576

/** Reads a config that the operator named. Paths are relative to its folder. */
export async function readConfig(path: string): Promise<ParsedConfig> {
  const bytes = await readFile(path).catch((cause) => {
    throw new ConfigError(`The config ${path} cannot be read (${cause.code}). Check the path after --config.`, {
      cause,
    })
  })
  return parseConfig(bytes, path)
}

export interface ParsedConfig {
  readonly config: Config
  /** As it was written. */
  readonly content: JsonObject
}

/** Parses and validates the bytes of the file at `path`. Throws a ConfigError with the fault and its location. */
export async function parseConfig(bytes: Uint8Array, path: string, folder = dirname(path)): Promise<ParsedConfig> {
  const parsed = parseJson(bytes, { maxBytes: maxConfigBytes, maxDepth: 32 })
  if (!parsed.ok) throw toInvalid(path, parsed.message)
  const config = await checkConfig(parsed.value as ConfigSource, path, folder)
  return { config, content: parsed.value as JsonObject }
}

/**
 * A misspelt setting must not be passed over: what it was to forbid would be allowed. Relative paths start in `folder`. Whether
 * other keys are names of toolsets is checked when the toolsets are known (`applyToolsetSettings`).
 */
export async function checkConfig(value: ConfigSource, source: string, folder = '.'): Promise<Config> {
  const config = structuredClone(value) as Settings
  const odd = findOddKeys(config)
  const problems = odd.length > 0 ? odd : await validateByProperty(configSchema, config, { useDefaults: true })
  if (problems.length > 0) throw toInvalid(source, toText(problems))
  renameFormerKeys(config, source)
  resolvePaths(config, folder)
  deepFreeze(config)
  return config
}

/** A config cannot be used: `fault` says where and why. */
export function toInvalid(source: string, fault: string): ConfigError {
  return new ConfigError(`The config ${source} is not valid: ${fault}`, { fault })
}

/** A key that the schema does not know can only be the name of a toolset, which has an object of settings. */
function findOddKeys(config: object): Found[] {
  const names = Object.keys(configSchema.properties)
  const odd = Object.entries(config ?? {}).filter(([key, value]) => !names.includes(key) && !isObject(value))
  return odd.map(([key]) => {
    const close = nearest(key, names)
    return {
      pointer: `/${key}`,
      message: `There is no such setting.${close === undefined ? '' : ` Did you mean "${close}"?`}`,
    }
  })
}

/** The settings of a toolset under the name that they had in earlier versions. */
function renameFormerKeys(config: { [key: string]: unknown }, source: string): void {
  for (const [former, name] of Object.entries(formerKeys)) {
    if (config[former] === undefined) continue
    if (config[name] !== undefined)
      throw toInvalid(source, `/${former}: It is the former name of "${name}", and both are given. Move what it has into "${name}".`) // biome-ignore format: one line
    config[name] = config[former]
    delete config[former]
  }
}

type Found = Pick<Problem, 'pointer' | 'message'>

const maxProblems = 3

export function toText(problems: readonly Found[]): string {
  const more = problems.length - maxProblems
  const words = problems.slice(0, maxProblems).map(({ pointer, message }) => {
    const [, hint = ''] = hints.find(([place]) => place.test(pointer)) ?? []
    return `${message.includes(pointer) ? message : `${pointer}: ${message}`}${hint}`
  })
  return [...words, ...(more > 0 ? [`There are ${more} problems more.`] : [])].join(' ')
}

/** Advice for problems that are not self-explanatory. */
const hints: readonly (readonly [place: RegExp, hint: string])[] = [
  [/^\/limits\/[^/]*$/, ' Write a tool such as learning.hello, or learning.* for each tool of a toolset.'],
  [/^\/callers\/[^/]*$/, ' A key is the name of a caller, *, group:NAME or claim:NAME=VALUE.'],
  [/^\/callers\/[^/]*\/tools\/\d+$/, ' Write the id of a tool such as learning.hello; * matches any characters.'],
  [/^\/approvers\/\d+\/tools\/\d+$/, ' Write a tool such as learning.hello, or learning.* for each tool of a toolset.'],
  [/^\/generated\/[^/]*$/, ' A key is a path such as docs/tools.md, inside the folder of this file.'],
  [
    /^\/policy\/sandboxRead\/\d+$/,
    ' Write an absolute path such as /opt/data, or one that starts with ~/, such as ~/data.',
  ],
  [/^\/ledger\/keep$/, ' Write days, such as 90d, or a size, such as 500MB or 10GB.'],
  [/^\/mcpServers\/[^/]*\/(httpUrl|serverUrl)$/, ' Write it as "url".'],
  [/^\/mcpServers\/[^/]*\/(excludeTools|disabledTools)$/, ' Write it as "exclude".'],
  [/^\/mcpServers\/[^/]*\/(includeTools|enabledTools)$/, ' Write it as "tools".'],
  [/^\/mcpServers\/[^/]*\/enabled$/, ' Write "disabled": true, or leave it out.'],
  [/^\/mcpServers\/[^/]*$/, ' A server has a command or a url; its name has letters, digits, - and _.'],
]

function resolvePaths(config: Settings, folder: string): void {
  const { workspace, http, contracts, ledger, tenants, vault, mcpServers = {} } = config
  for (const [name, tenant] of Object.entries(tenants?.names ?? {}))
    tenant.folder = resolve(folder, tenant.folder ?? join('tenants', name))
  if (ledger?.signing?.key !== undefined) ledger.signing.key = resolve(folder, ledger.signing.key)
  if (ledger?.archiveFolder !== undefined) ledger.archiveFolder = resolve(folder, ledger.archiveFolder)
  if (vault?.keyFile !== undefined) vault.keyFile = resolve(folder, vault.keyFile)
  if (vault?.formerKeyFiles) vault.formerKeyFiles = vault.formerKeyFiles.map((path) => resolve(folder, path))
  for (const place of ledger?.checkpoints ?? []) if (place.file !== undefined) place.file = resolve(folder, place.file)
  if (workspace !== undefined) config.workspace = resolve(folder, workspace)
  if (http?.tls) http.tls = { cert: resolve(folder, http.tls.cert), key: resolve(folder, http.tls.key) }
  if (contracts)
    config.contracts = contracts.map((entry) =>
      typeof entry === 'string' ? resolve(folder, entry) : { ...entry, path: resolve(folder, entry.path) },
    )
  for (const issuer of toIssuers(http?.auth) as readonly { jwks?: string }[])
    if (issuer.jwks !== undefined && !isUrl(issuer.jwks)) issuer.jwks = resolve(folder, issuer.jwks)
  for (const server of Object.values(mcpServers)) {
    // A path that starts with a variable may be absolute.
    if (server.cwd !== undefined && !server.cwd.startsWith('${')) server.cwd = resolve(folder, server.cwd)
    // Some clients write `["*"]` to mean "no filter".
    if (server.tools?.includes('*')) delete server.tools
  }
}

function isUrl(text: string): boolean {
  return /^[a-z][a-z0-9+.-]+:\/\//i.test(text)
}
