import { printableJson } from '../../contract/text/printable.ts'
import type { Client } from '../../surfaces/clients/client.ts'
import { connectable } from '../../surfaces/clients/clients.ts'
import { type Command, type Request, UsageError } from '../options/command.ts'
import { toColumns } from '../terminal/columns.ts'
import { exitCodes } from '../terminal/exit-codes.ts'
import { confirm } from '../terminal/prompt/confirm.ts'
import { paint } from '../terminal/terminal.ts'
import { openBackups, toChangeLines, toEditFailure, writeChange } from './change-file.ts'
import { findEntry, isFound, type OpenedFile, openClientFile, openExistingFiles } from './client-file.ts'
import { setServer } from './edit-client-file.ts'
import { type ServerToWrite, toHttpEntry, toStdioEntry } from './to-server.ts'

export const connect: Command = {
  usage: ['connect', 'connect CLIENT [options] [-- SERVE_OPTION …]'],
  about: `Writes Toolpact into the config of a client, so that the client can use the tools. Shows the change first and makes it
if you confirm; toolpact disconnect CLIENT undoes it. The client starts Toolpact itself; with --http it reaches one that
is already running, with a token of its own. Options such as --toolset, --config and --read-only become part of the entry.
Without a client, lists supported clients and whether they are installed.

Clients: ${connectable.map(({ id }) => id).join(', ')}.`,
  options: {
    http: { type: 'boolean', about: 'use a running toolpact serve instead of starting one' },
    stdio: { type: 'boolean', about: 'let the client start Toolpact (the default)' },
    scope: { type: 'string', value: 'user|project', about: "the user's config (default), or that of the workspace" },
    'toolpact-asks': {
      type: 'boolean',
      about: "turn off the client's own question before each call, so that only Toolpact asks (codex, gemini, qwen)",
    },
    caller: { type: 'string', value: 'NAME', about: 'for --http: the caller that the client is (default: local)' },
    port: { type: 'string', value: 'N', about: 'for --http: the port of the server (default: 7420)' },
    host: { type: 'string', value: 'ADDRESS', about: 'for --http: its address (default: 127.0.0.1)' },
    'no-token': { type: 'boolean', about: 'for --http: write no token, for toolpact serve --no-token' },
    'dry-run': { type: 'boolean', about: 'show the change without making it' },
  },
  examples: [
    ['toolpact connect codex', 'let Codex start Toolpact'],
    ['toolpact connect cursor --http', 'let Cursor use a running toolpact serve'],
    ['toolpact connect claude-code --scope project --toolset workspace', 'only in this folder, and one toolset'],
  ],
  next: (before) => (before.length === 0 ? connectable.map(({ id }) => id) : undefined),
  pages: (words) => words.length === 0,
  async run(request) {
    const { positionals, options } = request
    const [name] = positionals
    if (options.http && options.stdio) throw new UsageError('Give --http or --stdio, not both.')
    if (name === undefined) return listClients(request)
    const opened = openClientFile(name, options)
    try {
      return await connectTo(opened, request)
    } catch (cause) {
      throw toEditFailure(cause, opened)
    }
  },
}

async function connectTo(opened: OpenedFile, request: Request): Promise<number> {
  const { options, terminal } = request
  const { client, file, path, bytes, place } = opened
  const server = await toServer(opened, request)
  const { ownApproval } = client
  const transport = options.http ? 'http' : 'stdio'
  if (options['toolpact-asks'] && !ownApproval) throw new UsageError(`--toolpact-asks has no effect on ${client.title}: its config file cannot turn off its own question.`, 'Leave it out.') // biome-ignore format: one line
  const toEntry = (isSole: boolean) => ({ ...server.entry, ...(isSole && ownApproval?.entry) })
  const isSole = options['toolpact-asks'] ?? (await asksLessAlready(opened))
  const text = bytes?.toString()
  let after = await setServer(text, place, toEntry(isSole))
  const { token } = server
  const isOpen = ownApproval !== undefined && !isSole
  const isAsked = isOpen && !options.yes && !options['dry-run']
  const notes = [
    ...server.notes,
    ...(client.toNotes?.({ scope: file.scope, transport }) ?? []),
    ...(isOpen && !isAsked ? [`${ownApproval.about} Add --toolpact-asks for that.`] : []),
  ]
  const report = (state: string, backup?: string) => {
    if (options.json) terminal.print(printableJson({ client: client.id, file: path, scope: file.scope, transport, state, backup, notes })) // biome-ignore format: one line
  }
  if (after === text) {
    if (!options.json) terminal.print(`${client.title} is already connected: ${path} has this entry.`)
    report('unchanged')
    return exitCodes.success
  }
  if (!options.json) terminal.print(...(await toChangeLines({ opened, after, token })))
  if (options['dry-run']) {
    if (!options.json) terminal.log(...notes.map((note) => paint('dim', note)))
    report('planned')
    return exitCodes.success
  }
  const isMeant = options.yes || (await confirm(`Write this into ${path}? (y/N) `, request))
  if (!isMeant) {
    terminal.log(
      isMeant === undefined ? 'Not written: there is no terminal to ask at. Add --yes to write it.' : 'Not written.',
    )
    report('refused')
    return exitCodes.refused
  }
  if (isAsked && (await confirm(`${ownApproval.about} Do that? (y/N) `, request)))
    after = await setServer(text, place, toEntry(true))
  const backup = keepBackup(opened, (await findEntry(opened)) !== undefined)
  await server.issue?.()
  writeChange({ opened, after, token })
  if (!options.json) terminal.print([paint('green', '✓ '), `Connected ${client.title}. Restart it if it is running; toolpact disconnect ${client.id} undoes this.`]) // biome-ignore format: one line
  if (!options.json) terminal.log(...notes.map((note) => paint('dim', note)))
  if (!options.json && backup !== undefined) terminal.log(paint('dim', `The original file is in ${backup}.`))
  report('connected', backup)
  return exitCodes.success
}

async function toServer(opened: OpenedFile, request: Request): Promise<ServerToWrite> {
  const { client, file } = opened
  const { http, caller, port, host } = request.options
  if (!http) {
    const [given] = Object.entries({ caller, port, host, 'no-token': request.options['no-token'] }).filter(([, value]) => value !== undefined) // biome-ignore format: one line
    if (given) throw new UsageError(`--${given[0]} is for a running server.`, 'Add --http.')
    return toStdioEntry(client, file, request)
  }
  if (!client.toHttp) throw new UsageError(`The config of ${client.title} does not support HTTP servers.`, 'Leave out --http.') // biome-ignore format: one line
  return toHttpEntry(opened, request)
}

/** Keeps the user's own settings when the entry is rewritten. */
async function asksLessAlready(opened: OpenedFile): Promise<boolean> {
  const { ownApproval } = opened.client
  const entry = ownApproval && (await findEntry(opened))
  return entry !== undefined && Object.entries(ownApproval!.entry).every(([key, value]) => entry[key] === value)
}

/** Keeps only the file from before the first connect, not one with our entry. */
function keepBackup({ path, bytes }: OpenedFile, isConnected: boolean): string | undefined {
  const backups = openBackups()
  const kept = backups.find(path)
  if (!bytes) backups.remove(path)
  else if (!isConnected || !kept) return backups.keep(path, bytes)
  return bytes && kept?.at
}

async function listClients({ options, terminal }: Request): Promise<number> {
  const rows = await Promise.all(connectable.map(async (client) => ({ client, found: isFound(client, options), connected: await findConnected(client) }))) // biome-ignore format: one line
  if (options.json)
    terminal.print(printableJson(rows.map(({ client, found, connected }) => ({ client: client.id, title: client.title, found, connected })))) // biome-ignore format: one line
  else {
    const toState = (found: boolean, connected: readonly string[]) => {
      if (connected.length > 0) return paint('green', `connected in ${connected.join(', ')}`)
      return found ? 'found on this machine' : paint('dim', 'not found')
    }
    terminal.print(...toColumns(rows.map(({ client, found, connected }) => [paint('bold', client.id), client.title, toState(found, connected)]), { width: terminal.columns })) // biome-ignore format: one line
    terminal.log('', 'Run `toolpact connect CLIENT` to add Toolpact to one of them.')
  }
  return exitCodes.success

  async function findConnected(client: Client): Promise<string[]> {
    const files = openExistingFiles(client, options)
    const entries = await Promise.all(files.map(findEntry))
    return files.filter((_, index) => entries[index] !== undefined).map(({ path }) => path)
  }
}
