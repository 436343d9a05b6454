import { join } from 'node:path'
import { lookOnce } from '../../../contract/arrived-together.ts'
import { lazily } from '../../../contract/lazily.ts'
import { fileVersion } from '../../../state/file-version.ts'
import { watchFiles } from '../../../state/watch-files.ts'
import type { OperatorState } from '../operator-state.ts'
import { createTokenStore } from '../tokens.ts'

/** Opens `rules.json`, `tokens.json`, `trust.json` and the lock in the state directory. Each is loaded with its first use. */
export function openStateFiles(directory: () => string): OperatorState {
  const paths = new Map<string, string>()
  /** Made once: versions are asked for at each call and each request. */
  const toPath = (name: string) => {
    const path = paths.get(name) ?? join(directory(), name)
    paths.set(name, path)
    return path
  }
  const rules = lazily(async () => (await import('./rules-file.ts')).openRulesFile({ directory: directory() }))
  const tokens = lazily(async () => (await import('./tokens-file.ts')).openTokensFile({ directory: directory() }))
  const trust = lazily(async () => (await import('./trust-file.ts')).openTrustFile({ directory: directory() }))
  const lock = lazily(async () => {
    const { openLockFile } = await import('../../../state/lock-file.ts')
    const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
    const read = (bytes: Uint8Array) => decoder.decode(bytes)
    return openLockFile<string>({ path: toPath(lockName), directory, read, write: (text) => text })
  })
  return {
    rules: {
      version() {
        const path = toPath('rules.json')
        return lookOnce(path, () => fileVersion(path))
      },
      load: async () => (await rules()).load(),
      add: async (rule) => (await rules()).add(rule),
      remove: async (id) => (await rules()).remove(id),
      setDisabled: async (id, disabled) => (await rules()).setDisabled(id, disabled),
      expire: async (id, expiresAt) => (await rules()).expire(id, expiresAt),
      repair: async (discard) => (await rules()).repair(discard),
    },
    tokens: createTokenStore({
      get location() {
        return toPath('tokens.json')
      },
      version: () => fileVersion(toPath('tokens.json')),
      load: async () => (await tokens()).load(),
      change: async (make) => (await tokens()).change(make),
      lastUses: async () => (await tokens()).lastUses(),
      changeUses: async (make) => (await tokens()).changeUses(make),
    }),
    trust: {
      load: async () => (await trust()).load(),
      add: async (file) => (await trust()).add(file),
      remove: async (path) => (await trust()).remove(path),
    },
    lock: {
      get location() {
        return toPath(lockName)
      },
      load: async () => (await lock()).load(),
      change: async (make) => void (await (await lock()).change(make)),
      watch: (onChange) => watchFiles([toPath(lockName)], onChange),
    },
  }
}

const lockName = 'everywhere.toolpact.lock'
