import { join } from 'node:path'
import { openStateFiles } from '../runtime/storage/files/state-files.ts'
import { toArchiveOptions } from '../runtime/storage/ledger-keep.ts'
import type { OperatorState } from '../runtime/storage/operator-state.ts'
import { openPooledStorage, openPostgresState } from '../runtime/storage/postgres/open-postgres.ts'
import type { Pool } from '../runtime/storage/postgres/pool.ts'
import type { ProofStore } from '../runtime/storage/proof/proof-store.ts'
import { openSqliteStorage } from '../runtime/storage/sqlite/sqlite.ts'
import type { Storage } from '../runtime/storage/storage.ts'
import { stateDirectory } from '../state/state-directory.ts'
import type { Config } from './config/config.ts'
import { ConfigError } from './config/config-error.ts'
import { expandVariables } from './config/expand-variables.ts'
import { type ConfigOptions, type OpenedConfig, openServerConfig, toTenantName } from './config/open-config.ts'
import { openTrust } from './config/trust.ts'
import { type Sealing, withSealing } from './proof/sealing.ts'
import type { ToolpactOptions } from './toolpact.ts'

/** A storage that this process may seal. */
export type SealedStorage = Storage & { readonly sealing?: Sealing }

/** The storage, and what operators decided: the same, or files beside it. */
interface OpenedStorage {
  readonly storage: SealedStorage
  readonly state: OperatorState
}

interface StorageContext {
  /** What `openState` returned. */
  readonly files: OperatorState
  /** The tenant of the config whose state this is; undefined if the config has none. */
  readonly tenant: string | undefined
  /** Connections that tenants share. */
  readonly pool: Pool | undefined
}

/** Opens the storage that the options, the environment or the config select. */
export async function openStorage(
  options: ToolpactOptions,
  config: Config,
  { files, tenant, pool }: StorageContext,
): Promise<OpenedStorage> {
  const { storage = 'sqlite' } = options
  if (typeof storage === 'object') return { storage, state: files }
  if (storage === 'memory') {
    const { openMemoryStorage } = await import('../runtime/storage/memory/memory.ts')
    return { storage: openMemoryStorage(), state: files }
  }
  const postgres = options.storage === undefined ? findPostgres(config, tenant ?? options.tenant) : undefined
  const report = options.onStorage && { report: options.onStorage }
  if (postgres) {
    const { whenUnavailable, fsync } = config.ledger ?? {}
    const outage = {
      // What processes left there is merged into the ledger of one tenant.
      directory: join(toStateDirectory(options), ...(tenant === undefined ? [] : ['tenants', tenant])),
      keepsReads: whenUnavailable === 'journal',
      fsync: fsync === 'all',
    }
    const storage = await openPooledStorage({
      ...{ ...postgres, ...report },
      ...(options.access !== 'read' && { outage }),
      ...(pool && { pool }),
      ...toArchiveFolder(options, config),
    })
    // Which files are trusted is about the paths of this machine.
    const { rules, tokens, lock } = storage
    return { storage: withUpkeep(storage, options, config), state: { rules, tokens, lock, trust: files.trust } }
  }
  const opened = openSqliteStorage({
    directory: toStateDirectory(options),
    ...(options.access && { access: options.access }),
    fsyncAll: config.ledger?.fsync === 'all',
    ...toJournalSecret(config),
    ...(config.ledger?.archiveFolder !== undefined && { archiveFolder: config.ledger.archiveFolder }),
    ...report,
  })
  return { storage: withUpkeep(opened, options, config), state: files }
}

/** A command says where it writes. The state directory of a server may end with it, such as in a container. */
function toArchiveFolder(options: ToolpactOptions, { ledger }: Config) {
  if (ledger?.archiveFolder !== undefined) return { archiveFolder: ledger.archiveFolder }
  return isServer(options) ? {} : { archiveFolder: join(toStateDirectory(options), 'archive') }
}

function isServer({ start = 'lazy' }: ToolpactOptions): boolean {
  return start !== 'lazy'
}

/** Seals the ledger, and archives what is beyond the limit of age or size. */
function withUpkeep(opened: Storage, options: ToolpactOptions, config: Config): SealedStorage {
  const { proof } = opened
  const sealed = proof ? withSealing({ ...opened, proof }, toSealing(options, config, proof)) : opened
  const keep = config.ledger?.keep
  return keep === undefined || !isServer(options) ? sealed : keepOnly(sealed, keep, options.onStorage)
}

/** The key that signs also authenticates journals, unless a command signs. A key in the state directory is no better than the default. */
function toJournalSecret({ ledger }: Config) {
  const { key, command } = ledger?.signing ?? {}
  if (key === undefined && !command) return {}
  return {
    async journalSecret(ledgerId: string) {
      if (key === undefined) return undefined
      const { readJournalSecret } = await import('./proof/open-signer.ts')
      return readJournalSecret(key, ledgerId)
    },
  }
}

function toSealing(options: ToolpactOptions, config: Config, proof: ProofStore) {
  const { onStorage: report = () => {} } = options
  const { signing, checkpoints = [] } = config.ledger ?? {}
  const signer = async () =>
    (await import('./proof/open-signer.ts')).openSigner({
      signing,
      stateDirectory: toStateDirectory(options),
      proof,
      keepEnvironment: config.policy?.keepEnvironment,
    })
  const publisher = async () => {
    const { openPlaces } = await import('./proof/checkpoint-places.ts')
    const { openPublisher } = await import('./proof/publisher.ts')
    const { toVerifierKey } = await import('../runtime/storage/proof/signed-note.ts')
    const publicKey = async () => toVerifierKey((await signer()).verifier)
    const places = await openPlaces(checkpoints, { allowHosts: config.policy?.allowHosts })
    return openPublisher(places, { store: proof, publicKey, report })
  }
  const when = options.access === 'read' ? ('asked' as const) : options.seal
  return { report, signer, publisher: checkpoints.length > 0 ? publisher : undefined, ...(when && { when }) }
}

/** The database that the environment or the config names. `wanted`: the tenant, which needs one. */
export function findPostgres(
  { storage }: Config,
  wanted?: string,
): { readonly url: string; readonly tenant: string } | undefined {
  const text = process.env.TOOLPACT_POSTGRES || storage?.postgres
  if (!text && wanted !== undefined) throw new ConfigError('Tenants need Postgres. Name the database in storage.postgres of the config, or in TOOLPACT_POSTGRES.') // biome-ignore format: one line
  if (!text) return undefined
  const url = expandVariables(text, 'The address in storage.postgres')
  // Never with the address: it may contain a password.
  if (!/^postgres(?:ql)?:\/\//.test(url)) throw new ConfigError('The address in TOOLPACT_POSTGRES or storage.postgres must begin with postgres://.') // biome-ignore format: one line
  return { url, tenant: wanted ?? (process.env.TOOLPACT_TENANT || storage?.tenant || 'default') }
}

/** Opens what operators decided in files, or in the storage of the program, without opening the ledger. It needs no closing. */
export async function openState(options: ToolpactOptions = {}): Promise<OperatorState> {
  const { storage = 'sqlite' } = options
  if (typeof storage === 'object') return storage
  const files = openStateFiles(() => toStateDirectory(options))
  if (keepsState(options)) return files
  const { openMemoryStorage } = await import('../runtime/storage/memory/memory.ts')
  return { ...files, rules: openMemoryStorage().rules }
}

/** What operators decided, for commands that need nothing else: where a server in this folder finds it. It needs no closing. */
export async function openOperatorState(options: ConfigOptions = {}): Promise<OperatorState> {
  const { files, config, tenant } = await findServerState(options)
  const postgres = findPostgres(config, tenant)
  return postgres ? { ...(await openPostgresState(postgres)), trust: files.trust } : files
}

/** The storage of a server in this folder, for commands that need no tools, with its config. Close it. */
export async function openServerStorage(
  options: ConfigOptions = {},
): Promise<{ readonly storage: Storage; readonly config: Config }> {
  const { files, config, tenant } = await findServerState(options)
  const { storage } = await openStorage({ seal: 'due' }, config, { files, tenant, pool: undefined })
  return { storage, config }
}

/** A config that is wrong must not keep anyone from a token. */
async function findServerState(options: ConfigOptions) {
  const files = await openState()
  const opened = await openServer(options, files).catch(() => undefined)
  const config = opened?.config ?? {}
  const tenant = config.tenants ? await findTenant(config, options) : options.tenant
  return { files, config, tenant }
}

async function findTenant(config: Config, options: ConfigOptions): Promise<string> {
  const { requireTenant, toTenants } = await import('./tenants/tenants.ts')
  const tenants = toTenants(config)!
  return requireTenant(tenants, toTenantName(options))?.name ?? tenants.own
}

/** The config of the server that these options choose, with the list of its tenants. */
export function openServer(options: ConfigOptions, { trust: store }: OperatorState): Promise<OpenedConfig | undefined> {
  const trust = openTrust({ store, known: {} })
  return openServerConfig({ discover: true, ...options }, { trust, stateDirectory: () => toStateDirectory({}) })
}

const firstArchiveMs = 60_000
const archiveEveryMs = 3_600_000

/** Archives entries beyond the limit of age or size, every hour while the storage is open. */
function keepOnly(storage: SealedStorage, keep: string, report: (message: string) => void = () => {}): SealedStorage {
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
