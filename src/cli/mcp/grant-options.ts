import { toGrantPath } from '../../app/isolation/grant-path.ts'
import type { JsonObject } from '../../contract/json.ts'
import { hostPattern } from '../../policy/granted-hosts.ts'
import { type Options, UsageError } from '../options/command.ts'

/** Options of `add`, `grant` and `revoke`. */
export const grantOptions = {
  'allow-host': {
    type: 'string',
    value: 'HOST',
    multiple: true,
    about:
      'a host that it may connect to: api.example.com, *.example.com, db.example.com:5432, or any; may be repeated',
  },
  read: { type: 'string', value: 'DIR', multiple: true, about: 'a folder that it may read; may be repeated' },
  write: {
    type: 'string',
    value: 'DIR',
    multiple: true,
    about: 'a folder that it may read and write; may be repeated',
  },
} as const

export const isolationOption = {
  type: 'string',
  value: 'auto|required|off',
  about: 'whether it is confined: where possible, always or not at all, or never',
} as const

/** The part of an entry that these options stand for. `folder`: of the config, unless it is for every folder. */
export function toGrantMembers(options: Options, folder: string | undefined): JsonObject {
  const { read, write, isolation, 'allow-host': hosts } = options
  if (isolation !== undefined && !['auto', 'required', 'off'].includes(isolation))
    throw new UsageError(`--isolation cannot be '${isolation}'.`, 'Use auto, required or off.')
  for (const host of hosts ?? []) requireHost(host)
  const paths = (given: readonly string[]) => given.map((path) => toGrantPath(path, folder))
  const isAny = hosts?.includes('any')
  return {
    ...(isolation !== undefined && { isolation }),
    ...(read && { read: paths(read) }),
    ...(write && { write: paths(write) }),
    ...(hosts && { network: isAny ? 'any' : [...hosts] }),
  }
}

function requireHost(host: string): void {
  if (host === 'any' || new RegExp(hostPattern).test(host)) return
  throw new UsageError(
    `--allow-host cannot be '${host}'.`,
    'Use a host name without https://, such as api.example.com.',
  )
}
