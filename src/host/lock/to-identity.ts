import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import type { JsonObject, JsonValue } from '../../contract/json.ts'
import { parseJson } from '../../contract/schema/parse-json.ts'
import { shorten } from '../../contract/text/shorten.ts'
import { packageOf, type RunPackage } from '../../policy/launched-package.ts'
import { type GrantedEntry, toGrants } from './grants.ts'
import type { ServerIdentity } from './lock.ts'

/** A server as in the config, before variables are expanded, since their values may be secret. */
export interface NamedServer extends GrantedEntry {
  readonly command?: string
  readonly args?: readonly string[]
  readonly cwd?: string
  readonly url?: string
  readonly type?: string
  /** The file in which Toolpact records what it installed for a confined server. */
  readonly installRecord?: string
}

/** The identity of a server, with the integrity of its package if npm has recorded it. */
export function readIdentity(server: NamedServer, serverInfo?: JsonObject): ServerIdentity {
  const found = server.command === undefined ? undefined : packageOf(server.command, server.args ?? [])
  const places = { cwd: server.cwd ?? '.', environment: process.env, installRecord: server.installRecord }
  const integrity = found && findIntegrity(found, places)
  return { ...toIdentity(server, serverInfo), ...(integrity !== undefined && { integrity }) }
}

/** The same, without reading files. */
export function toIdentity(server: NamedServer, serverInfo: JsonObject = {}): ServerIdentity {
  const { command, args = [], url, type } = server
  const grants = command === undefined ? undefined : toGrants(server)
  const { package: name, version } = (command !== undefined && packageOf(command, args)) || {}
  const info = toServerInfo(serverInfo)
  return {
    kind: url === undefined ? 'stdio' : type === 'sse' ? 'sse' : 'http',
    ...(command !== undefined && { command }),
    ...(name !== undefined && { package: name }),
    ...(version !== undefined && { version }),
    ...(url !== undefined && { url: toPublicUrl(url) }),
    ...(grants && { grants }),
    ...(info && { serverInfo: info }),
  }
}

/** The lock is usually committed, so it contains no user info, no query, and no segment that looks like a key. */
function toPublicUrl(url: string): string {
  const [, scheme = '', rest = ''] = /^([a-z]+:\/\/)?(?:[^/?#@]*@)?([^?#]*)/i.exec(url) ?? []
  const segments = rest.split('/').map((segment, index) => (index > 0 && isLikeSecret(segment) ? '…' : segment))
  return `${scheme}${segments.join('/')}`
}

function isLikeSecret(segment: string): boolean {
  return /^[\w=.~%-]{20,}$/.test(segment) && /\d/.test(segment) && /[a-z]/i.test(segment)
}

const maxText = 200

function toServerInfo(info: JsonObject): ServerIdentity['serverInfo'] | undefined {
  const texts = ['name', 'title', 'version'].flatMap((field) => {
    const text = Object.hasOwn(info, field) ? info[field] : undefined
    return typeof text === 'string' ? [[field, shorten(text, maxText, { ellipsis: '' })]] : []
  })
  return texts.length > 0 ? Object.fromEntries(texts) : undefined
}

interface Places {
  /** The working directory of the server. */
  readonly cwd: string
  readonly environment: { readonly [name: string]: string | undefined }
  readonly installRecord?: string | undefined
}

/**
 * The integrity of an exact version of an npm package, as recorded at installation: where Toolpact installed it for a confined
 * server, else in the working directory of the server, else in the cache of npx. Undefined if none has it.
 */
export function findIntegrity(found: RunPackage, { cwd, environment, installRecord }: Places): string | undefined {
  if (!found.package.startsWith('npm:') || found.version === undefined) return undefined
  const installed = installRecord === undefined ? undefined : parse(readIfThere(installRecord))
  if (installed !== undefined && isOf(installed, found)) return textOf(installed, 'integrity')
  const cache = environment.npm_config_cache || join(homedir(), '.npm')
  const folder = hash('sha512', found.spec).slice(0, 16)
  const lists = [join(cwd, 'node_modules', '.package-lock.json'), join(cache, '_npx', folder, 'package-lock.json')]
  for (const list of lists) {
    const integrity = readIntegrity(readIfThere(list), found)
    if (integrity !== undefined) return integrity
  }
  return undefined
}

function readIfThere(path: string): Uint8Array | undefined {
  try {
    return readFileSync(path)
  } catch {
    return undefined
  }
}

function readIntegrity(bytes: Uint8Array | undefined, found: RunPackage): string | undefined {
  const packages = fieldOf(parse(bytes), 'packages')
  const installed = packages && fieldOf(packages, `node_modules/${found.package.slice('npm:'.length)}`)
  return installed && textOf(installed, 'version') === found.version ? textOf(installed, 'integrity') : undefined
}

function isOf(installed: JsonValue, { package: name, version }: RunPackage): boolean {
  return `npm:${textOf(installed, 'name')}` === name && textOf(installed, 'version') === version
}

function parse(bytes: Uint8Array | undefined): JsonValue | undefined {
  const parsed = bytes && parseJson(bytes, { maxBytes: 16_777_216, maxDepth: 32 })
  return parsed?.ok ? parsed.value : undefined
}

function textOf(value: JsonValue, name: string): string | undefined {
  const field = fieldOf(value, name)
  return typeof field === 'string' ? field : undefined
}

function fieldOf(value: JsonValue | undefined, name: string): JsonValue | undefined {
  const isObject = typeof value === 'object' && value !== null && Object.hasOwn(value, name)
  return isObject ? (value as JsonObject)[name] : undefined
}
