import type { ToolsetLoaders } from '../../runtime/pipeline/catalog.ts'
import type { TrustedFile, TrustStore } from '../../runtime/storage/operator-state.ts'
import type { Config } from './config.ts'
import type { FoundConfig } from './found-config.ts'

/** Which configs that lie in workspaces the operator trusts, each with its exact content. */
export interface Trust {
  /** The `toolpact.json` of a folder, and what it would do. Rejects with a ConfigError where it is not fit to be used. */
  look(place: string): Promise<ReviewedConfig>
  /** Trusts the content that was looked at, whatever the file holds by now. */
  add(reviewed: ReviewedConfig, by: string): Promise<TrustedFile>
  list(): Promise<readonly ListedTrust[]>
  /** Gives what is trusted no more; undefined where nothing was. */
  revoke(place: string): Promise<TrustedFile | undefined>
}

/** `changed`: other content was trusted at this path. */
export type TrustState = 'trusted' | 'changed' | 'untrusted'

interface ReviewedConfig extends FoundConfig {
  readonly state: TrustState
  /** What would run or loosen something, such as `policy.sandbox`. */
  readonly loosens: readonly string[]
}

interface ListedTrust extends TrustedFile {
  readonly state: 'trusted' | 'changed' | 'gone'
}

export interface TrustOptions {
  readonly store: TrustStore
  /** Every toolset that there is. */
  readonly known: ToolsetLoaders<never>
}

/** The `toolpact.json` of a workspace as it holds. */
interface FoundSettings extends Pick<FoundConfig, 'content'> {
  /** All of it if its content is trusted, else what makes things stricter. */
  readonly config: Config
  /** Its real path. */
  readonly path: string
  /** Of its bytes. */
  readonly digest: string
  readonly state: TrustState
  /** What waits for trust. */
  readonly left: readonly string[]
  /** Why nobody can say what is trusted. */
  readonly problem?: string
}

/** Trust as whoever opens a config needs it. */
export interface ConfigTrust extends Trust {
  open(folder: string): Promise<FoundSettings>
}

/** What does the work is loaded with the first use. */
export function openTrust(options: TrustOptions): ConfigTrust {
  const configTrust = async () => (await import('./config-trust.ts')).openConfigTrust(options)
  return {
    open: async (folder) => (await configTrust()).open(folder),
    look: async (place) => (await configTrust()).look(place),
    add: async (reviewed, by) => (await configTrust()).add(reviewed, by),
    list: async () => (await configTrust()).list(),
    revoke: async (place) => (await configTrust()).revoke(place),
  }
}
