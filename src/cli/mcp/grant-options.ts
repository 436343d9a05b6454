import { existsSync } from 'node:fs'
import type { ConfigEditor } from '../../app/config/config-editor.ts'
import { toGrantPath } from '../../app/isolation/grant-path.ts'
import { toAbsolute } from '../../app/isolation/is-granted.ts'
import { hostPattern } from '../../policy/granted-hosts.ts'
import { type Options, UsageError } from '../options/command.ts'
import type { GrantMembers } from './change-grants.ts'

/** Options of `add`, `import`, `grant` and `revoke`. */
export const grantOptions = {
  'allow-host': {
    type: 'string',
    value: 'HOST',
    multiple: true,
    about: 'a host that it may reach: *.example.com, db.example.com:5432; may be repeated',
  },
  network: { type: 'string', value: 'any|none', about: 'all hosts, or none' },
  read: { type: 'string', value: 'DIR', multiple: true, about: 'what it may read; may be repeated' },
  write: {
    type: 'string',
    value: 'DIR',
    multiple: true,
    about: 'what it may write; may be repeated',
  },
} as const

export const isolationOption = {
  type: 'string',
  value: 'auto|required|off',
  about: 'whether it is confined: where possible, always or not at all, or never',
} as const

/**
 * The part of an entry that these options stand for. `folder`: of the config, unless it is for every folder. `mustExist`:
 * refuse paths that do not exist, since a sandbox cannot show them to a server.
 */
export function toGrantMembers(
  options: Options,
  folder: string | undefined,
  { mustExist = true }: { readonly mustExist?: boolean } = {},
): GrantMembers {
  const { read, write, isolation, network, 'allow-host': hosts } = options
  if (isolation !== undefined && !['auto', 'required', 'off'].includes(isolation))
    throw new UsageError(`--isolation cannot be '${isolation}'.`, 'Use auto, required or off.')
  if (network !== undefined && network !== 'any' && network !== 'none')
    throw new UsageError(`--network cannot be '${network}'.`, 'Use any or none, and --allow-host for single hosts.')
  if (network !== undefined && hosts)
    throw new UsageError(`--network ${network} and --allow-host exclude each other.`, 'Leave one of them out.')
  const toPaths = (option: string, given: readonly string[]) =>
    given.map((path) => {
      if (mustExist) requirePath(option, path)
      return toGrantPath(path, folder)
    })
  return {
    ...(isolation !== undefined && { isolation }),
    ...(read && { read: toPaths('--read', read) }),
    ...(write && { write: toPaths('--write', write) }),
    ...(network !== undefined && { network }),
    ...(hosts && { network: hosts.map(toHost) }),
  }
}

/** What grants are written relative to. Servers of every folder have no folder of their own. */
export function toGrantFolder({ scope, folder }: ConfigEditor): string | undefined {
  return scope === 'everywhere' ? undefined : folder
}

function requirePath(option: string, path: string): void {
  const absolute = toAbsolute(path, '.')
  if (!existsSync(absolute))
    throw new UsageError(`${option} ${path}: ${absolute} does not exist.`, 'Create it first, or correct the path.')
}

function toHost(host: string): string {
  if (host === 'any' || host === 'none')
    throw new UsageError(`--allow-host cannot be '${host}'.`, `Use --network ${host}.`)
  const [, port] = /:(\d+)$/.exec(host) ?? []
  if (new RegExp(hostPattern).test(host) && (port === undefined || (Number(port) > 0 && Number(port) < 65_536)))
    return host.toLowerCase()
  throw new UsageError(
    `--allow-host cannot be '${host}'.`,
    'Use a host name without https://, such as api.example.com or db.example.com:5432.',
  )
}
