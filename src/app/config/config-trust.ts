import { realpathSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { ToolsetLoaders } from '../../runtime/pipeline/catalog.ts'
import type { TrustedFile } from '../../runtime/storage/operator-state.ts'
import { StateError } from '../../state/state-error.ts'
import { toolsets as builtIn } from '../../toolsets/index.ts'
import { formerKeys } from '../../toolsets/settings.ts'
import type { Config } from './config.ts'
import { configFileName, digestFile, type FoundConfig, readFoundConfig, toConfigFolder } from './found-config.ts'
import { findRaised } from './limits.ts'
import type { ConfigTrust, TrustOptions, TrustState } from './trust.ts'

/** Reviews, trusts and revokes workspace configs. */
export function openConfigTrust({ store, known }: TrustOptions): ConfigTrust {
  /** If the list cannot be read, nothing is trusted. */
  async function readState(found: FoundConfig): Promise<{ state: TrustState; problem?: string }> {
    try {
      return { state: toState(found, await store.load()) }
    } catch (cause) {
      if (!(cause instanceof StateError)) throw cause
      return { state: 'untrusted', problem: cause.message }
    }
  }

  return {
    async open(folder) {
      const found = await readFoundConfig(folder)
      const { path, digest, config, content } = found
      const { state, ...problem } = await readState(found)
      if (state === 'trusted') return { config, content, path, digest, state, left: [] }
      return {
        config: toUntrusted(config).taken,
        content,
        path,
        digest,
        state,
        left: await findLoosening(found, known),
        ...problem,
      }
    },
    async look(place) {
      const found = await readFoundConfig(toConfigFolder(place))
      return { ...found, state: toState(found, await store.load()), loosens: await findLoosening(found, known) }
    },
    async add({ path, digest }, by) {
      const trusted = { path, digest, trustedBy: by, trustedAt: new Date().toISOString() }
      await store.add(trusted)
      return trusted
    },
    async list() {
      return (await store.load()).map((trusted) => {
        const digest = digestFile(trusted.path)
        return { ...trusted, state: digest === undefined ? 'gone' : digest === trusted.digest ? 'trusted' : 'changed' }
      })
    },
    async revoke(place) {
      const paths = findPaths(place)
      const trusted = (await store.load()).find(({ path }) => paths.includes(path))
      return trusted && (await store.remove(trusted.path)) ? trusted : undefined
    },
  }
}

function toState({ path, digest }: FoundConfig, files: readonly TrustedFile[]): TrustState {
  const known = files.find((file) => file.path === path)
  if (!known) return 'untrusted'
  return known.digest === digest ? 'trusted' : 'changed'
}

/** By the names that the file has: a former key is left under the name that the person who reviews it reads. */
async function findLoosening({ config, content }: FoundConfig, known: ToolsetLoaders<never>): Promise<string[]> {
  const raised = config.limits ? await findRaised(config.limits, known) : []
  const former = Object.entries(formerKeys).filter(([key]) => Object.hasOwn(content, key))
  const toWritten = (name: string) => former.find(([, current]) => current === name)?.[0] ?? name
  return [...toUntrusted(config).left.map(toWritten), ...raised]
}

/** The trusted file, or its folder, may no longer exist. */
function findPaths(place: string): string[] {
  const named = [resolve(place), join(resolve(place), configFileName)]
  const real = named.flatMap((path) => {
    try {
      return [realpathSync.native(path)]
    } catch {
      return []
    }
  })
  return [...named, ...real]
}

interface UntrustedConfig {
  /** The settings that only restrict. */
  readonly taken: Config
  /** The settings that need trust, such as `policy.sandbox`. */
  readonly left: readonly string[]
}

type Takes = (value: never, config: Config) => unknown

/**
 * The allowlist of settings that apply without trust, with the part of the value that only restricts. New settings need
 * trust until they are added here deliberately. Limits are taken as they are; `withLimits` only lowers.
 */
const stricter: { readonly [setting: string]: Takes } = {
  'ledger.fsync': only('all'),
  'ledger.whenUnavailable': only('refuse'),
  'policy.askAll': only(true),
  'policy.readOnly': only(true),
  'policy.singleStep': only(true),
  'policy.requireQuery': only(true),
  'policy.dataFlow': only('ask'),
  'policy.sandbox': only('required'),
  lock: only('required'),
  // Only shortens the list: every tool can still be called.
  catalogue: only('search'),
  drift: only('strict'),
  redact: whole,
  limits: whole,
  // Restricts callers, who may use everything by default. Where to ask for approval is up to the operator.
  callers: (callers: NonNullable<Config['callers']>) => {
    const lists = Object.entries(callers).flatMap(([name, { tools }]) => (tools ? [[name, { tools }] as const] : []))
    return lists.length > 0 ? Object.freeze(Object.fromEntries(lists)) : undefined
  },
  // May disable a server of every folder. The rest of an entry needs trust.
  mcpServers: (servers: NonNullable<Config['mcpServers']>) => {
    const off = Object.keys(servers).filter((name) => servers[name]!.disabled)
    return (
      nonEmpty(off) && Object.freeze(Object.fromEntries(off.map((name) => [name, Object.freeze({ disabled: true })])))
    )
  },
  // Only read by `toolpact check`, which writes no files.
  generated: whole,
  living: whole,
  // Restricts the toolsets, which are all served by default. Those of untrusted servers and folders do not exist yet.
  toolsets: (names: NonNullable<Config['toolsets']>, { mcpServers = {}, contracts }) =>
    nonEmpty(names.filter((name) => !Object.hasOwn(mcpServers, name) && (!contracts || Object.hasOwn(builtIn, name)))),
}

/** Default values, which need no trust. */
const neutral: { readonly [setting: string]: unknown } = {
  'ledger.fsync': 'writes',
  'ledger.whenUnavailable': 'refuse',
  'policy.askAll': false,
  'policy.readOnly': false,
  'policy.singleStep': false,
  'policy.requireQuery': false,
  'policy.sandbox': 'auto',
  'policy.sandboxNetwork': false,
  'policy.sandboxUnixSockets': false,
  lock: 'optional',
  drift: 'keep',
  withoutOutputSchema: 'refuse',
  isolation: 'auto',
  names: 'plain',
  catalogue: 'all',
}

const groups = ['ledger', 'policy']

/** Splits an untrusted config into the settings that only restrict, which apply, and the names of the others. */
export function toUntrusted(config: Config): UntrustedConfig {
  const left: string[] = []

  function take(setting: string, value: unknown): unknown {
    if (setting === '$schema' || isNothing(value) || neutral[setting] === value) return undefined
    const taken = stricter[setting]?.(value as never, config)
    if (taken === undefined) left.push(setting)
    return taken
  }

  const taken = mapSettings(config, (key, value) => {
    if (!groups.includes(key)) return take(key, value)
    return mapSettings(value as object, (name, setting) => take(`${key}.${name}`, setting))
  }) as Config
  if (Object.values(config.callers ?? {}).some(({ tools, approval }) => tools && approval))
    left.push('callers.approval')
  if (taken.mcpServers && Object.values(config.mcpServers ?? {}).some(({ disabled }) => !disabled))
    left.push('mcpServers')
  return { taken, left }
}

function mapSettings(settings: object, map: (key: string, value: unknown) => unknown): object {
  const entries = Object.entries(settings).map(([key, value]) => [key, map(key, value)])
  return Object.freeze(Object.fromEntries(entries.filter(([, value]) => value !== undefined)))
}

function only(strict: unknown): Takes {
  return (value) => (value === strict ? value : undefined)
}

function whole<Value>(value: Value): Value {
  return value
}

function nonEmpty<Value>(values: readonly Value[]): readonly Value[] | undefined {
  return values.length > 0 ? values : undefined
}

function isNothing(value: unknown): boolean {
  return value === undefined || (typeof value === 'object' && value !== null && Object.keys(value).length === 0)
}
