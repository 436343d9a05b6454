import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import type { JsonObject, JsonValue } from '../../contract/json.ts'
import { parseJson } from '../../contract/schema/parse-json.ts'
import { shorten } from '../../contract/text/shorten.ts'
import type { ServerIdentity } from './lock.ts'
import { packageOf, type RunPackage } from './package-of.ts'

/** A server as the operator's file names it, before variables are filled in: their values may be secret. */
export interface NamedServer {
  readonly command?: string
  readonly args?: readonly string[]
  readonly cwd?: string
  readonly url?: string
  readonly type?: string
}

/** What a server is. Looks up the integrity of its package where npm has recorded it. */
export function readIdentity(server: NamedServer, serverInfo?: JsonObject): ServerIdentity {
  const found = server.command === undefined ? undefined : packageOf(server.command, server.args ?? [])
  const places = { cwd: server.cwd ?? '.', environment: process.env }
  const integrity = found && findIntegrity(found, places)
  return { ...toIdentity(server, serverInfo), ...(integrity !== undefined && { integrity }) }
}

/** The same without a look at the disk. */
export function toIdentity(
  { command, args = [], url, type }: NamedServer,
  serverInfo: JsonObject = {},
): ServerIdentity {
  const { package: name, version } = (command !== undefined && packageOf(command, args)) || {}
  const info = toServerInfo(serverInfo)
  return {
    kind: url === undefined ? 'stdio' : type === 'sse' ? 'sse' : 'http',
    ...(command !== undefined && { command }),
    ...(name !== undefined && { package: name }),
    ...(version !== undefined && { version }),
    ...(url !== undefined && { url: toPublicUrl(url) }),
    ...(info && { serverInfo: info }),
  }
}

/** The lock is for everybody who reads the repository: neither a user, nor a query, nor what looks like a key is in it. */
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
  /** The folder that the server runs in. */
  readonly cwd: string
  readonly environment: { readonly [name: string]: string | undefined }
}

/**
 * The integrity of an exact version of an npm package, as npm recorded it when it installed what will run: in the folder
 * that the server runs in, else where npx keeps it. Undefined where neither has it.
 */
export function findIntegrity(found: RunPackage, { cwd, environment }: Places): string | undefined {
  if (!found.package.startsWith('npm:') || found.version === undefined) return undefined
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

function readIntegrity(bytes: Uint8Array | undefined, { package: name, version }: RunPackage): string | undefined {
  const parsed = bytes && parseJson(bytes, { maxBytes: 16_777_216, maxDepth: 32 })
  if (!parsed?.ok) return undefined
  const packages = fieldOf(parsed.value, 'packages')
  const installed = packages && fieldOf(packages, `node_modules/${name.slice('npm:'.length)}`)
  const integrity = installed && fieldOf(installed, 'version') === version ? fieldOf(installed, 'integrity') : undefined
  return typeof integrity === 'string' ? integrity : undefined
}

function fieldOf(value: JsonValue, name: string): JsonValue | undefined {
  const isObject = typeof value === 'object' && value !== null && Object.hasOwn(value, name)
  return isObject ? (value as JsonObject)[name] : undefined
}
