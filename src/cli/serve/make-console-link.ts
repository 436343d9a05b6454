import { toTenantName } from '../../app/config/open-config.ts'
import { openServerStorage } from '../../app/open-storage.ts'
import { findTenants } from '../../app/tenants/open-tenants.ts'
import { openConsoleAddress } from '../../runtime/approval/console-address.ts'
import type { Notes } from '../../runtime/storage/storage.ts'
import { addLink } from '../../surfaces/console/add-link.ts'
import { allRights } from '../../surfaces/console/person.ts'
import { toUrlHost } from '../../surfaces/http/host-check.ts'
import { type Options, type Request, UsageError } from '../options/command.ts'
import { toConfigOptions } from '../options/config-options.ts'
import { toPort } from '../options/option-values.ts'
import { readUserName } from '../terminal/user-name.ts'

/** Adds a single-use link to the console to the storage of a running server. Only its operator can write there. */
export async function makeConsoleLink({ options }: Pick<Request, 'options'>): Promise<string> {
  const { storage, config } = await openServerStorage(toConfigOptions(options))
  try {
    const { signIns, notes } = storage
    if (!signIns) throw new UsageError('This storage keeps no links.', 'Use the link that toolpact serve --show-link prints.') // biome-ignore format: one line
    const { tenant, url } = await findTenant(options)
    const server = await findServer(options, { notes, port: config.http?.port, shown: config.http?.publicUrl })
    const person = { name: readUserName(), rights: options['view-only'] ? ['view'] : allRights }
    return `${url ?? server}/console?once=${await addLink({ signIns, tenant }, person)}`
  } finally {
    await storage.close()
  }
}

interface KnownPlace {
  readonly notes: Notes
  /** As the config says. */
  readonly port: number | undefined
  readonly shown: string | undefined
}

/** The address of a server that runs: the one that the options name, else one that has noted where it is. */
async function findServer({ port, host }: Options, { notes, ...configured }: KnownPlace): Promise<string> {
  const isNamed = port !== undefined || host !== undefined
  const noted = isNamed ? undefined : await openConsoleAddress(notes).find()
  if (noted !== undefined) return noted
  const url = `http://${toUrlHost(host ?? '127.0.0.1')}:${toPort(port) ?? configured.port ?? 7420}`
  if (!(await isServing(url))) throw new UsageError(`No server answers at ${url}.`, 'Start one with toolpact serve, or name its --port.') // biome-ignore format: one line
  return configured.shown ?? url
}

/** What tells a server with several tenants which of them is meant: the secret of the link, or the address. */
async function findTenant(options: Options): Promise<{ readonly tenant?: string; readonly url?: string | undefined }> {
  const chosen = toConfigOptions(options)
  const name = toTenantName(chosen)
  const tenants = await findTenants(chosen).catch(() => undefined)
  const entry = name === undefined ? undefined : tenants?.entries.get(name)
  if (!entry) return {}
  return tenants!.by === 'host' ? { url: entry.url } : { tenant: entry.name }
}

/** Sends no token: a 401 also shows that the server is running. */
export async function isServing(url: string): Promise<boolean> {
  try {
    const { status } = await fetch(new URL('/healthz', url), { signal: AbortSignal.timeout(2000), redirect: 'error' })
    return status === 200 || status === 401
  } catch {
    return false
  }
}
