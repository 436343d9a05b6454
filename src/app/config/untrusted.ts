import { toolsets as builtIn } from '../../toolsets/index.ts'
import type { Config } from './config.ts'

export interface UntrustedConfig {
  /** What only makes Toolpact stricter. */
  readonly taken: Config
  /** What waits for trust, such as `policy.sandbox`. */
  readonly left: readonly string[]
}

type Takes = (value: never, config: Config) => unknown

/**
 * What is taken of a config that nobody has trusted: the setting, and what of its value makes things stricter.
 * Whatever is not here, is not taken: a key that comes later waits for trust until somebody adds it on purpose.
 * Limits are taken whole, and whoever applies them lowers only (`withLimits`).
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
  // Every tool can still be called: it only lists fewer.
  catalogue: only('search'),
  drift: only('strict'),
  redact: whole,
  limits: whole,
  // By default every caller may use everything. Where a person is asked is for the operator to say.
  callers: (callers: NonNullable<Config['callers']>) => {
    const lists = Object.entries(callers).flatMap(([name, { tools }]) => (tools ? [[name, { tools }] as const] : []))
    return lists.length > 0 ? Object.freeze(Object.fromEntries(lists)) : undefined
  },
  // Switches off a server of every folder that has this name; nothing else of an entry is taken.
  mcpServers: (servers: NonNullable<Config['mcpServers']>) => {
    const off = Object.keys(servers).filter((name) => servers[name]!.disabled)
    return (
      nonEmpty(off) && Object.freeze(Object.fromEntries(off.map((name) => [name, Object.freeze({ disabled: true })])))
    )
  },
  // Read by toolpact check, which compares these files and writes none.
  generated: whole,
  living: whole,
  // By default every toolset is served; those of servers and folders that are left are not there.
  toolsets: (names: NonNullable<Config['toolsets']>, { mcpServers = {}, contracts }) =>
    nonEmpty(names.filter((name) => !Object.hasOwn(mcpServers, name) && (!contracts || Object.hasOwn(builtIn, name)))),
}

/** Settings that have no effect by themselves. */
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

/** Takes from a config that nobody has trusted what makes things stricter, and tells what it leaves. */
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
