import { isDeepStrictEqual } from 'node:util'
import { watchFiles } from '../state/watch-files.ts'
import type { Config } from './config/config.ts'
import { toConfigPaths } from './config/open-config.ts'
import type { Settings } from './settings.ts'

/** Settings that are read only at the start: addresses, files and folders. */
const atStartOnly = [
  'http',
  'ledger',
  'storage',
  'workspace',
  'contracts',
  'listWaitMs',
  'telemetry',
  'tenants',
] as const satisfies readonly (keyof Config)[]

/** Settings that do not affect a running server. */
const elsewhere: readonly string[] = ['$schema', 'generated', 'living', 'agent']

const maxNames = 10

export interface FollowOptions {
  readonly paths: readonly string[]
  readonly current: () => Settings
  /** Reloads the config. Rejects if it cannot be used. */
  readonly load: () => Promise<Settings>
  /** `changed`: the keys of the config that differ. */
  readonly apply: (next: Settings, changed: readonly string[]) => Promise<void>
  /** Receives each line for the operator. */
  readonly report: (message: string) => void
}

export { toConfigPaths }

/**
 * Watches the config, and applies changes while tools are served. An invalid config changes nothing. Returns a function
 * that stops watching.
 */
export function followConfig({ paths, current, load, apply, report }: FollowOptions): () => void {
  let standing = current().notices

  /** Reports only the lines that are new since the last time. */
  function reportStanding(lines: readonly string[]) {
    for (const line of lines) if (!standing.includes(line)) report(line)
    standing = lines
  }

  async function reload() {
    const before = current()
    const next = await load()
    const { changed, applied, needsRestart } = describeChange(before.config, next.config)
    await apply({ ...next, config: keepFixed(before.config, next.config) }, changed)
    if (applied.length > 0) report(`Applied: ${applied.join(', ')}.`)
    reportStanding([
      ...next.notices,
      ...(needsRestart.length > 0
        ? [`${needsRestart.join(', ')} cannot change at run time. Restart toolpact serve to apply.`]
        : []),
    ])
  }

  return watchFiles(paths, () =>
    reload().catch((cause) => {
      const message = cause instanceof Error ? cause.message : String(cause)
      reportStanding([`${message} The settings before it stay in effect.`])
    }),
  )
}

interface ConfigChange {
  /** The keys that differ. */
  readonly changed: readonly string[]
  /** Descriptions of the settings that were applied. */
  readonly applied: readonly string[]
  /** Settings that apply after a restart. */
  readonly needsRestart: readonly string[]
}

/** Describes the differences between two configs, for the operator. */
function describeChange(before: Config, after: Config): ConfigChange {
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

/** The new config, with the previous values of settings that cannot change at run time. */
function keepFixed(before: Config, after: Config): Config {
  const kept = Object.fromEntries(atStartOnly.flatMap((key) => (before[key] === undefined ? [] : [[key, before[key]]])))
  const rest = Object.entries(after).filter(([key]) => !(atStartOnly as readonly string[]).includes(key))
  return Object.freeze({ ...Object.fromEntries(rest), ...kept }) as Config
}

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
