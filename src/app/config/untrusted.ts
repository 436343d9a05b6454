import { toolsets as builtIn } from '../../toolsets/index.ts'
import type { Config } from './config.ts'

export interface UntrustedConfig {
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
