import type { ToolsetLoaders } from '../../runtime/pipeline/catalog.ts'
import type { TrustedFile, TrustStore } from '../../runtime/storage/operator-state.ts'
import type { Config } from './config.ts'
import type { FoundConfig } from './found-config.ts'

/** The workspace configs that the operator trusts, each with its exact content. */
export interface Trust {
  /** The `toolpact.json` of a folder, for review. Rejects with a ConfigError if it cannot be used. */
  look(place: string): Promise<ReviewedConfig>
  /** Trusts the reviewed content, even if the file has changed since. */
  add(reviewed: ReviewedConfig, by: string): Promise<TrustedFile>
  list(): Promise<readonly ListedTrust[]>
  /** Returns the revoked entry; undefined if there was none. */
  revoke(place: string): Promise<TrustedFile | undefined>
}

/** `changed`: different content was trusted at this path. */
export type TrustState = 'trusted' | 'changed' | 'untrusted'

/** A config with what trusting it would allow. */
export interface ReviewedConfig extends FoundConfig {
  readonly state: TrustState
  /** Settings that run something or loosen restrictions, such as `policy.sandbox`. */
  readonly loosens: readonly string[]
}

/** A trusted config and whether its file still has that content. */
export interface ListedTrust extends TrustedFile {
  readonly state: 'trusted' | 'changed' | 'gone'
}

export interface TrustOptions {
  readonly store: TrustStore
  /** All built-in toolsets. */
  readonly known: ToolsetLoaders<never>
}

/** The `toolpact.json` of a workspace, as far as it applies. */
interface FoundSettings extends Pick<FoundConfig, 'content'> {
  /** All settings if the content is trusted, else only those that restrict. */
  readonly config: Config
  /** Its real path. */
  readonly path: string
  /** Of its bytes. */
  readonly digest: string
  readonly state: TrustState
  /** Settings that are not applied until the config is trusted. */
  readonly left: readonly string[]
  /** Why the list of trusted configs cannot be read. */
  readonly problem?: string
}

/** Also opens configs as far as they are trusted. */
export interface ConfigTrust extends Trust {
  open(folder: string): Promise<FoundSettings>
}

/** The implementation is loaded with the first use. */
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
