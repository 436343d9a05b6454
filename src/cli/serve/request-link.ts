import { request as sendRequest } from 'node:http'
import type { TokenStore } from '../../runtime/storage/operator-state.ts'
import { allRights, consoleCaller } from '../../surfaces/console/person.ts'
import { toUrlHost } from '../../surfaces/http/host-check.ts'
import { type Request, UsageError } from '../options/command.ts'
import { toPort } from '../options/option-values.ts'
import { readUserName } from '../terminal/user-name.ts'

/** Gets a single-use link to the console from a running server of this user. */
export async function requestLink({ options, terminal }: Request, tokens: TokenStore): Promise<string> {
  const port = toPort(options.port) ?? 7420
  const url = `http://${toUrlHost(options.host ?? '127.0.0.1')}:${port}`
  const rights = options['view-only'] ? ['view'] : allRights
  const query = new URLSearchParams({ person: readUserName(), rights: rights.join() })
  const { token } = await tokens.ensure(consoleCaller)
  const { status, text } = await post(`${url}/link?${query}`, token, terminal.signal).catch(
    (cause: NodeJS.ErrnoException) => {
      throw new UsageError(`No server answers at ${url} (${cause.code ?? cause.message}).`, 'Start one with toolpact serve, or name its --port.') // biome-ignore format: one line
    },
  )
  const link = status === 200 ? readUrl(text) : undefined
  if (link === undefined) throw new UsageError(`The server at ${url} did not return a link (status ${status}).`, 'Check the --port: it must be a toolpact serve of this user.') // biome-ignore format: one line
  return link
}

function post(url: string, token: string, signal: AbortSignal): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const headers = { Authorization: `Bearer ${token}` }
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

/** Only a plain http URL: it is handed to the program that opens the browser. */
function readUrl(text: string): string | undefined {
  try {
    const { url } = JSON.parse(text)
    return typeof url === 'string' && /^http:\/\/[\w.:[\]-]+\/console\?once=[\w-]{43}$/.test(url) ? url : undefined
  } catch {
    return undefined
  }
}
