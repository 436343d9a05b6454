import { request as sendRequest } from 'node:http'
import { toTenantName } from '../../app/config/open-config.ts'
import { findTenants } from '../../app/tenants/open-tenants.ts'
import type { TokenStore } from '../../runtime/storage/operator-state.ts'
import { allRights, consoleCaller } from '../../surfaces/console/person.ts'
import { toUrlHost } from '../../surfaces/http/host-check.ts'
import { type Options, type Request, UsageError } from '../options/command.ts'
import { toConfigOptions } from '../options/config-options.ts'
import { toPort } from '../options/option-values.ts'
import { readUserName } from '../terminal/user-name.ts'

/** Gets a single-use link to the console from a running server of this user. */
export async function requestLink({ options, terminal }: Request, tokens: TokenStore): Promise<string> {
  const port = toPort(options.port) ?? 7420
  const url = `http://${toUrlHost(options.host ?? '127.0.0.1')}:${port}`
  const rights = options['view-only'] ? ['view'] : allRights
  const { tenant, host } = await findTenant(options)
  const query = new URLSearchParams({ person: readUserName(), rights: rights.join(), ...tenant })
  const { token } = await tokens.ensure(consoleCaller)
  const { status, text } = await post(
    `${url}/link?${query}`,
    { Authorization: `Bearer ${token}`, ...host },
    terminal.signal,
  ).catch((cause: NodeJS.ErrnoException) => {
    throw new UsageError(`No server answers at ${url} (${cause.code ?? cause.message}).`, 'Start one with toolpact serve, or name its --port.') // biome-ignore format: one line
  })
  const link = status === 200 ? readUrl(text) : undefined
  if (link === undefined) throw new UsageError(`The server at ${url} did not return a link (status ${status}).`, 'Check the --port: it must be a toolpact serve of this user.') // biome-ignore format: one line
  return link
}

/** What tells a server with several tenants which of them is meant. */
async function findTenant(options: Options): Promise<{ readonly tenant?: object; readonly host?: object }> {
  const chosen = toConfigOptions(options)
  const name = toTenantName(chosen)
  const tenants = await findTenants(chosen).catch(() => undefined)
  const entry = name === undefined ? undefined : tenants?.entries.get(name)
  if (!entry) return {}
  return { tenant: { tenant: entry.name }, ...(tenants!.by === 'host' && { host: { Host: new URL(entry.url!).host } }) }
}

function post(
  url: string,
  headers: { readonly [name: string]: string },
  signal: AbortSignal,
): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const sent = sendRequest(url, { method: 'POST', headers, timeout: 5000, signal }, (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (chunk: string) => {
        text = `${text}${chunk}`.slice(0, 10_000)
      })
      response.on('end', () => resolve({ status: response.statusCode!, text })).on('error', reject)
    })
    sent.on('timeout', () => sent.destroy(new Error('no answer in time')))
    sent.on('error', reject).end()
  })
}

/** Only a plain URL: it is handed to the program that opens the browser. */
function readUrl(text: string): string | undefined {
  try {
    const { url } = JSON.parse(text)
    return typeof url === 'string' && /^https?:\/\/[\w.:[\]-]+\/console\?once=[\w.-]{43,107}$/.test(url)
      ? url
      : undefined
  } catch {
    return undefined
  }
}
