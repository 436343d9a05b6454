import { toShellWord } from '../contract/text/shell-word.ts'
import type { Client, HttpServer, Places } from './clients/client.ts'
import { connectable } from './clients/clients.ts'
import { toSnippet } from './clients/to-snippet.ts'

/** How to connect a client: the text to paste, and where. */
export interface ClientConfig {
  readonly client: string
  readonly where: string
  readonly text: string
  /** The text is a command line, short enough for a terminal. */
  readonly isCommand?: true
  /** A note for the user. */
  readonly note?: string
}

/** Placeholder for a token that is not shown or not known. */
export const tokenPlaceholder = 'YOUR_TOKEN'

export interface ClientOptions {
  /** The name of the server in the config. */
  readonly name: string
  /** Such as `http://127.0.0.1:7420`. */
  readonly url: string
  /** Undefined if no token is needed. */
  readonly token: string | undefined
  /** The command line that serves the same tools on stdio; undefined for users of another machine, who only connect. */
  readonly stdio: readonly string[] | undefined
  /** A tool to try, with a valid input. */
  readonly example?: { readonly name: string; readonly input: unknown }
}

/** Configurations for every known client, the quickest to set up first. */
export function toClientConfigs({ name, url, token, stdio, example }: ClientOptions): readonly ClientConfig[] {
  const authorization = token === undefined ? undefined : `Bearer ${token}`
  const server = { url: `${url}/mcp`, authorization }
  const all: ClientConfig = {
    client: 'Any of these clients',
    where: 'in a terminal',
    text: toLine(['toolpact', 'connect', 'CLIENT', '--http', ...toAddress(url)]),
    isCommand: true,
    note: `Writes what follows into its config, after asking. CLIENT is one of ${connectable.map(({ id }) => id).join(', ')}.`,
  }
  const shown = stdio ? connectable : connectable.filter(({ toCommand, toHttp }) => toCommand ?? toHttp)
  return [
    ...(stdio ? [all] : []),
    ...shown.map((client) => toConfig(client, name, { server, stdio: stdio ?? [] })),
    ...(example ? [toCurl(url, authorization, example)] : []),
  ]
}

interface Ways {
  readonly server: HttpServer
  readonly stdio: readonly string[]
}

function toConfig(client: Client, name: string, { server, stdio: [command = '', ...args] }: Ways): ClientConfig {
  const { title, ownApproval } = client
  if (client.toCommand) return { client: title, where: 'in a terminal', text: toLine(client.toCommand(name, server)), isCommand: true } // biome-ignore format: one line
  const file = client.files(places).find(({ scope, key }) => scope === 'user' && key)!
  const entry = client.toHttp?.(server) ?? client.toStdio!({ command, args, env: {}, passed: [] })
  return {
    client: client.toHttp ? title : `${title}, and others that start the server themselves (stdio)`,
    where: file.path,
    text: toSnippet(client, file.key!, name, entry),
    ...(ownApproval && { note: ownApproval.about }),
  }
}

/** The location of a client's file, for the reader of the page. */
const places: Places = { platform: process.platform, home: '~', workspace: '.', environment: {} }

function toCurl(url: string, authorization: string | undefined, example: NonNullable<ClientOptions['example']>) {
  const headers = [...(authorization === undefined ? [] : [`Authorization: ${authorization}`]), 'Content-Type: application/json'] // biome-ignore format: one line
  const words = [
    ...headers.flatMap((header) => ['-H', header]),
    ...['-d', JSON.stringify(example.input)],
    `${url}/v1/tools/${encodeURIComponent(example.name)}`,
  ]
  return { client: 'curl', where: 'in a terminal', text: toLine(['curl', ...words]), isCommand: true } as const
}

/** What `connect` would not assume by default. */
function toAddress(url: string): string[] {
  const { hostname, port } = new URL(url)
  return [
    ...(port === '7420' ? [] : ['--port', port || '80']),
    ...(hostname === '127.0.0.1' ? [] : ['--host', hostname]),
  ]
}

function toLine(words: readonly string[]): string {
  return words.map(toShellWord).join(' ')
}
