import type { JsonObject } from '../../contract/json.ts'
import { shorten } from '../../contract/text/shorten.ts'
import { findIntegrity } from './find-integrity.ts'
import type { ServerIdentity } from './lock.ts'
import { packageOf } from './package-of.ts'

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
