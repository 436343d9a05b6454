import { watchFiles } from '../state/watch-files.ts'
import { describeChange, keepFixed } from './config/describe-change.ts'
import { toConfigPaths } from './config/open-config.ts'
import type { Settings } from './settings.ts'

export interface FollowOptions {
  readonly paths: readonly string[]
  readonly current: () => Settings
  /** Reads the config again. Rejects where it cannot be used. */
  readonly load: () => Promise<Settings>
  /** `changed`: the keys of the config that differ. */
  readonly apply: (next: Settings, changed: readonly string[]) => Promise<void>
  /** Receives each line for the operator. */
  readonly tell: (message: string) => void
}

export { toConfigPaths }

/**
 * Applies changes of the config while tools are served. A config that cannot be used changes nothing. Returns what stops
 * it.
 */
export function followConfig({ paths, current, load, apply, tell }: FollowOptions): () => void {
  let standing = current().notices

  /** What has not changed since the last time is not said again. */
  function tellStanding(lines: readonly string[]) {
    for (const line of lines) if (!standing.includes(line)) tell(line)
    standing = lines
  }

  async function reload() {
    const before = current()
    const next = await load()
    const { changed, applied, needsRestart } = describeChange(before.config, next.config)
    await apply({ ...next, config: keepFixed(before.config, next.config) }, changed)
    if (applied.length > 0) tell(`Applied: ${applied.join(', ')}.`)
    tellStanding([
      ...next.notices,
      ...(needsRestart.length > 0
        ? [`${needsRestart.join(', ')} cannot change at run time. Restart toolpact serve to apply.`]
        : []),
    ])
  }

  return watchFiles(paths, () =>
    reload().catch((cause) => {
      const message = cause instanceof Error ? cause.message : String(cause)
      tellStanding([`${message} The settings before it stay in effect.`])
    }),
  )
}
