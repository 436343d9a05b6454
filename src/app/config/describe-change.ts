import { isDeepStrictEqual } from 'node:util'
import type { Config } from './config.ts'

/** What is opened once, at the start: addresses, files, folders, and processes that calls have started. */
const atStartOnly = [
  'http',
  'ledger',
  'workspace',
  'contracts',
  'mlx',
  'listWaitMs',
] as const satisfies readonly (keyof Config)[]

/** Not read while tools are served. */
const elsewhere: readonly string[] = ['$schema', 'generated', 'living', 'agent']

export interface ConfigChange {
  /** The keys that differ. */
  readonly changed: readonly string[]
  /** Settings that apply from now on, in words. */
  readonly applied: readonly string[]
  /** Settings that apply after a restart. */
  readonly needsRestart: readonly string[]
}

/** What differs between two configs, for the person who has changed it. */
export function describeChange(before: Config, after: Config): ConfigChange {
  const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])] as (keyof Config)[]
  const changed = keys.filter((key) => !elsewhere.includes(key) && !isDeepStrictEqual(before[key], after[key]))
  const isFixed = (key: string) => (atStartOnly as readonly string[]).includes(key)
  return {
    changed,
    applied: changed
      .filter((key) => !isFixed(key))
      .map((key) => (key === 'mcpServers' ? `mcpServers (${describeServers(before, after)})` : key)),
    needsRestart: changed.filter(isFixed),
  }
}

/** The new config with what it cannot change at run time as it was. */
export function keepFixed(before: Config, after: Config): Config {
  const kept = Object.fromEntries(atStartOnly.flatMap((key) => (before[key] === undefined ? [] : [[key, before[key]]])))
  const rest = Object.entries(after).filter(([key]) => !(atStartOnly as readonly string[]).includes(key))
  return Object.freeze({ ...Object.fromEntries(rest), ...kept }) as Config
}

const maxNames = 10

function describeServers({ mcpServers: before = {} }: Config, { mcpServers: after = {} }: Config): string {
  const names = Object.keys(after)
  const groups = {
    added: names.filter((name) => !Object.hasOwn(before, name)),
    changed: names.filter((name) => Object.hasOwn(before, name) && !isDeepStrictEqual(before[name], after[name])),
    removed: Object.keys(before).filter((name) => !Object.hasOwn(after, name)),
  }
  const words = Object.entries(groups)
    .filter(([, found]) => found.length > 0)
    .map(([what, found]) => `${what} ${found.slice(0, maxNames).join(', ')}${found.length > maxNames ? ` and ${found.length - maxNames} more` : ''}`) // biome-ignore format: one line
  return words.length === 0 ? 'another order' : words.join('; ')
}
