import { printableJson } from '../../contract/text/printable.ts'
import { type ClientOptions, toClientConfigs } from '../../surfaces/client-configs.ts'
import { localCaller } from '../../surfaces/http/credentials.ts'
import type { HttpServer } from '../../surfaces/http/open-http-server.ts'
import type { StartPage } from '../../surfaces/http/page/start-page.ts'
import { toColumns } from '../terminal/columns.ts'
import { type Line, paint } from '../terminal/terminal.ts'
import type { ChosenCredentials } from './choose-credentials.ts'
import type { Serving } from './serving.ts'

/** The command as the user can type it: without a global installation, only npx finds it. */
const command = process.env.npm_execpath ? 'npx toolpact' : 'toolpact'

export interface Started {
  readonly serving: Serving
  readonly server: HttpServer
  readonly chosen: ChosenCredentials
  readonly page: StartPage
  readonly clients: Omit<ClientOptions, 'url' | 'token'>
  readonly tools: number
}

/** Prints the addresses and how to connect clients. */
export async function printStart(started: Started): Promise<void> {
  const { serving, server, page } = started
  const { options, terminal } = serving.request
  // Output to a pipe may end up in a log that others read.
  const mayShow = options['show-link'] === true || (process.stdout.isTTY && !options.json)
  const places = {
    mcp: `${server.url}/mcp`,
    rest: `${server.url}/v1/tools`,
    openapi: `${server.url}/openapi.json`,
    health: `${server.url}/healthz`,
    page: mayShow && !options['no-token'] ? await page.makeLink(localCaller) : `${server.url}/`,
  }
  if (options.json) {
    const { workspace } = serving.toolpact
    terminal.print(printableJson({ url: server.url, ...places, tools: started.tools, workspace, pid: process.pid }))
  } else terminal.print(...toLines(started, places))
}

function toLines(started: Started, places: { readonly [name: string]: string }): Line[] {
  const { serving, server, chosen, clients, tools } = started
  const { mcp, rest, openapi, page } = places
  return [
    [
      paint('bold', `Toolpact serves ${tools} ${tools === 1 ? 'tool' : 'tools'} at ${server.url}`),
      ` for the workspace ${serving.toolpact.workspace}`,
    ],
    ...toColumns([
      ['  MCP', mcp!],
      ['  REST', rest!],
      ['  OpenAPI', openapi!],
      ['  Start page', `${page}${toPageHint(page!, chosen)}`],
    ]),
    '',
    chosen.about,
    ...(process.stdout.isTTY
      ? [
          ...toClientConfigs({ ...clients, url: server.url, token: chosen.token })
            .filter(({ isCommand }) => isCommand)
            .flatMap(({ client, where, text, note }) => [
              '',
              [paint('bold', client), paint('dim', `  ${where}`)],
              `  ${text.replace(/^toolpact /, `${command} `)}`,
              ...(note === undefined ? [] : [paint('dim', `  ${note}`)]),
            ]),
          '',
          'The start page has the text to paste for each client.',
        ]
      : toHint(started)),
    '',
    'Ctrl-C stops it.',
  ]
}

function toPageHint(page: string, { isKept }: ChosenCredentials): string {
  if (!isKept) return ''
  return page.includes('?once=')
    ? ` (opens once; ${command} token link makes another)`
    : ` (${command} token link opens it)`
}

/** Never prints a token, because the output may go to a file or log. */
function toHint({ chosen, clients, server }: Started): Line[] {
  if (!chosen.isKept || !clients.example)
    return [`${command} connect CLIENT --http connects a client; the start page has the text to paste.`]
  const { name, input } = clients.example
  return [
    `${command} connect CLIENT --http connects a client; the start page has the text to paste. With curl:`,
    `  curl -H "Authorization: Bearer $(${command} token)" -H 'Content-Type: application/json' -d '${JSON.stringify(input).replaceAll("'", `'\\''`)}' ${server.url}/v1/tools/${name}`,
  ]
}
