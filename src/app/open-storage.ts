import { openStateFiles } from '../runtime/storage/files/state-files.ts'
import { toArchiveOptions } from '../runtime/storage/ledger-keep.ts'
import type { OperatorState } from '../runtime/storage/operator-state.ts'
import type { ProofStore } from '../runtime/storage/proof/proof-store.ts'
import { openSqliteStorage } from '../runtime/storage/sqlite/sqlite.ts'
import type { Storage } from '../runtime/storage/storage.ts'
import { stateDirectory } from '../state/state-directory.ts'
import type { Config } from './config/config.ts'
import { withSealing } from './proof/sealing.ts'
import type { ToolpactOptions } from './toolpact.ts'

/** Opens the storage that the options select. */
export async function openStorage(options: ToolpactOptions, config: Config): Promise<Storage> {
  const { storage = 'sqlite' } = options
  if (typeof storage === 'object') return storage
  if (storage === 'memory') return (await import('../runtime/storage/memory/memory.ts')).openMemoryStorage()
  const opened = openSqliteStorage({
    directory: toStateDirectory(options),
    ...(options.access && { access: options.access }),
    fsyncAll: config.ledger?.fsync === 'all',
    ...(options.onStorage && { report: options.onStorage }),
  })
  const { proof } = opened
  const isSealed = proof && options.access !== 'read'
  const sealed = isSealed ? withSealing({ ...opened, proof }, toSealing(options, config, proof)) : opened
  const keep = config.ledger?.keep
  return keep === undefined || (options.start ?? 'lazy') === 'lazy' ? sealed : keepOnly(sealed, keep, options.onStorage)
}

function toSealing(options: ToolpactOptions, config: Config, proof: ProofStore) {
  return {
    report: options.onStorage ?? (() => {}),
    signer: async () =>
      (await import('./proof/open-signer.ts')).openSigner({
        signing: config.ledger?.signing,
        stateDirectory: toStateDirectory(options),
        ledgerId: await proof.ledgerId(),
        keepEnvironment: config.policy?.keepEnvironment,
      }),
  }
}

/** Opens what operators decided, without opening the ledger. It needs no closing. */
export async function openState(options: ToolpactOptions = {}): Promise<OperatorState> {
  const { storage = 'sqlite' } = options
  if (typeof storage === 'object') return storage
  const files = openStateFiles(() => toStateDirectory(options))
  if (keepsState(options)) return files
  const { openMemoryState } = await import('../runtime/storage/memory/state.ts')
  return { ...files, rules: openMemoryState().rules }
}

const firstArchiveMs = 60_000
const archiveEveryMs = 3_600_000

/** Archives entries beyond the limit of age or size, every hour while the storage is open. */
function keepOnly(storage: Storage, keep: string, report: (message: string) => void = () => {}): Storage {
  let running = Promise.resolve()
  async function archive() {
    try {
      const segments = await storage.ledger.archive(toArchiveOptions(keep, Date.now()))
      for (const { first, last, file } of segments) report(`Entries ${first} to ${last} of the ledger were archived in ${file}.`) // biome-ignore format: one line
    } catch (error) {
      report(`The ledger could not be archived. ${(error as Error).message}`)
    }
  }
  const start = () => {
    running = running.then(archive)
  }
  const timers = [setTimeout(start, firstArchiveMs), setInterval(start, archiveEveryMs)]
  for (const timer of timers) timer.unref()
  return {
    ...storage,
    async close() {
      for (const timer of timers) clearTimeout(timer)
      await running
      await storage.close()
    },
  }
}

/** Files beside the storage are used with what else is in the state directory, and whenever that directory is named. */
export function keepsState({ storage = 'sqlite', stateDirectory }: ToolpactOptions): boolean {
  return storage === 'sqlite' || stateDirectory !== undefined
}

export function toStateDirectory(options: ToolpactOptions): string {
  return options.stateDirectory ?? stateDirectory(process.env)
}
