import { request as sendRequest } from 'node:http'
import { printableJson } from '../../contract/text/printable.ts'
import type { TokenStore } from '../../runtime/storage/operator-state.ts'
import { localCaller } from '../../surfaces/http/credentials.ts'
import { toUrlHost } from '../../surfaces/http/host-check.ts'
import { type Request, UsageError } from '../options/command.ts'
import { toPort } from '../options/option-values.ts'
import { exitCodes } from '../terminal/exit-codes.ts'

/** Gets a single-use link to the start page from a running server. */
export async function printLink({ options, terminal }: Request, tokens: TokenStore): Promise<number> {
  const port = toPort(options.port) ?? 7420
  const url = `http://${toUrlHost(options.host ?? '127.0.0.1')}:${port}`
  const token = (await tokens.load()).find(({ caller }) => caller === localCaller.name)?.token
  const { status, text } = await post(`${url}/link`, token, terminal.signal).catch((cause: NodeJS.ErrnoException) => {
    throw new UsageError(`No server answers at ${url} (${cause.code ?? cause.message}).`, 'Start one with toolpact serve, or name its --port.') // biome-ignore format: one line
  })
  const link = status === 200 ? readUrl(text) : undefined
  if (link === undefined) throw new UsageError(`The server at ${url} did not return a link (status ${status}).`, 'Check the --port: it must be a toolpact serve of this user.') // biome-ignore format: one line
  terminal.print(options.json ? printableJson({ url: link }) : link)
  return exitCodes.success
}

function post(url: string, token: string | undefined, signal: AbortSignal): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const headers = token === undefined ? {} : { Authorization: `Bearer ${token}` }
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

function readUrl(text: string): string | undefined {
  try {
    const { url } = JSON.parse(text)
    return typeof url === 'string' ? url : undefined
  } catch {
    return undefined
  }
}
