import { realpathSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { ToolsetLoaders } from '../../runtime/pipeline/catalog.ts'
import type { TrustedFile } from '../../runtime/storage/operator-state.ts'
import { StateError } from '../../state/state-error.ts'
import { formerKeys } from '../../toolsets/settings.ts'
import { configFileName, digestFile, type FoundConfig, readFoundConfig, toConfigFolder } from './found-config.ts'
import { findRaised } from './limits.ts'
import type { ConfigTrust, TrustOptions, TrustState } from './trust.ts'
import { toUntrusted } from './untrusted.ts'

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
