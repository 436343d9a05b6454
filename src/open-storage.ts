import type { ToolpactOptions } from './app.ts'
import type { Config } from './config/config.ts'
import { openSqliteStorage } from './storage/sqlite.ts'
import { stateDirectory } from './storage/state-directory.ts'
import type { Storage } from './storage/storage.ts'

/** Opens what the options say the ledger is kept in. */
export async function openStorage(options: ToolpactOptions, config: Config): Promise<Storage> {
  const { storage = 'sqlite' } = options
  if (typeof storage === 'object') return storage
  if (storage === 'memory') return (await import('./storage/memory.ts')).openMemoryStorage()
  return openSqliteStorage({
    directory: toStateDirectory(options),
    ...(options.access && { access: options.access }),
    fsyncAll: config.ledger?.fsync === 'all',
    ...(options.onStorage && { report: options.onStorage }),
  })
}

/** Files beside the storage are used with what else is in the state directory, and whenever that directory is named. */
export function keepsState({ storage = 'sqlite', stateDirectory }: ToolpactOptions): boolean {
  return storage === 'sqlite' || stateDirectory !== undefined
}

export function toStateDirectory(options: ToolpactOptions): string {
  return options.stateDirectory ?? stateDirectory(process.env)
}
