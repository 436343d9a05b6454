import { printableJson } from '../../contract/text/printable.ts'
import { toShellWord } from '../../contract/text/shell-word.ts'
import { shortenMiddle } from '../../contract/text/shorten.ts'
import { toCount } from '../../runtime/approval/text/rows.ts'
import type { Console } from '../../surfaces/console/console.ts'
import { allRights } from '../../surfaces/console/person.ts'
import type { HttpServer } from '../../surfaces/http/open-http-server.ts'
import { type OfferedCounts, toCountWords } from '../../surfaces/offered-counts.ts'
import { toColumns } from '../terminal/columns.ts'
import { type Line, paint } from '../terminal/terminal.ts'
import { readUserName } from '../terminal/user-name.ts'
import { type ChosenCredentials, ownCommand as command } from './choose-credentials.ts'
import type { Serving } from './serving.ts'
import { toProcesses } from './workers/worker.ts'

export interface Started {
  readonly serving: Serving
  readonly server: HttpServer
  readonly chosen: ChosenCredentials
  readonly console: Console
  readonly offered: OfferedCounts
  /** Tools of MCP servers that are not offered. */
  readonly withheld: number
}

/** Prints what is served and how to reach it: one short screen, without a token. */
export async function printStart(started: Started): Promise<void> {
  const { serving, server } = started
  const { options, terminal } = serving.request
  // Output to a pipe may end up in a log that others read.
  const mayShow = options['show-link'] === true || (process.stdout.isTTY && !options.json)
  const person = { name: readUserName(), rights: allRights }
  const places = {
    mcp: `${server.url}/mcp`,
    rest: `${server.url}/v1/tools`,
    openapi: `${server.url}/openapi.json`,
    health: `${server.url}/healthz`,
    console: mayShow ? await started.console.makeLink(person) : `${server.url}/console`,
  }
  if (options.json) {
    const { workspace } = serving.toolpact
    const { offered, withheld } = started
    terminal.print(printableJson({ url: server.url, ...places, ...offered, withheld, workspace, ...toProcesses() }))
  } else terminal.print(...toLines(started, places))
}

function toLines(
  { serving, server, chosen, offered, withheld }: Started,
  { console }: { readonly console: string },
): Line[] {
  const port = server.port === 7420 ? [] : ['--port', `${server.port}`]
  const toCommand = (...words: string[]) => [command, ...words, ...port].join(' ')
  const { workspace, catalog, config } = serving.toolpact
  const { workers } = toProcesses()
  const isDefault = !serving.request.options.toolset && !config.toolsets && `${catalog.toolsets}` === 'workspace'
  return [
    paint('bold', `Toolpact serves ${toCountWords(offered)} at ${server.url}`),
    ...toColumns([
      ['  Folder', shortenMiddle(toShellWord(workspace), { start: 30, end: 35, gap: () => '…' })],
      ['  Console', console.includes('?once=') ? `${toCommand('open')} (or the link below, once)` : toCommand('open')],
      ['  Client', toCommand('connect', 'CLIENT', '--http')],
      ['  MCP', `${server.url}/mcp`],
      ['  REST', `${server.url}/v1/tools`],
      ['  OpenAPI', `${server.url}/openapi.json`],
      ...(workers > 1 ? [['  Workers', `${workers}`]] : []),
      ...(withheld > 0 ? [['  Withheld', `${toCount(withheld, 'tool')}: ${command} mcp inspect`]] : []),
    ]),
    '',
    ...(console.includes('?once=') ? [console, ''] : []),
    ...(isDefault ? ['These are the tools of workspace. Choose others with --toolset NAME, or run', `${command} mcp add to serve an MCP server.`, ''] : []), // biome-ignore format: one line
    paint('dim', chosen.about),
    'Ctrl-C stops it.',
  ]
}
