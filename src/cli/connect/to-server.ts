import { resolve } from 'node:path'
import { toIssuers } from '../../app/config/issuers.ts'
import { openOperatorState } from '../../app/open-storage.ts'
import type { JsonObject } from '../../contract/json.ts'
import { hashToken, isExpired, makeToken, type TokenStore, toStored, toTokenId } from '../../runtime/storage/tokens.ts'
import type { Client, ClientFile } from '../../surfaces/clients/client.ts'
import { localCaller } from '../../surfaces/http/credentials.ts'
import { openChosenConfig } from '../options/chosen-config.ts'
import { type Options, type Request, UsageError } from '../options/command.ts'
import { toPort } from '../options/option-values.ts'
import { toOwnCommand } from '../options/own-command.ts'
import { isServing } from '../serve/make-console-link.ts'
import { toCallerName } from '../token.ts'
import { findEntry, type OpenedFile } from './client-file.ts'

/** The entry for the client's file. */
export interface ServerToWrite {
  readonly entry: JsonObject
  /** Part of the entry; never printed. */
  readonly token: string | undefined
  /** Makes the token valid. Called before the entry is written. */
  readonly issue?: () => Promise<void>
  readonly notes: readonly string[]
}

/** Variables that locate approvals, tokens and the ledger; the client's server must share them. */
const stateVariables = ['TOOLPACT_STATE_DIR', 'XDG_STATE_HOME']
const tokenVariable = 'TOOLPACT_TOKEN'

/** Entry for a client that starts Toolpact over stdio. */
export async function toStdioEntry(client: Client, file: ClientFile, request: Request): Promise<ServerToWrite> {
  const { options, positionals } = request
  const [command = '', ...own] = toOwnCommand()
  const { workspace, toolset = [], contracts = [], set = [], config, ask, tenant } = options
  const isPinned = workspace !== undefined || file.startsElsewhere === true
  const folder = resolve(workspace ?? '.')
  const args = [
    ...[...own, 'serve', '--stdio'],
    ...(isPinned ? ['--workspace', folder] : []),
    ...toolset.flatMap((name) => ['--toolset', name]),
    ...contracts.flatMap((path) => ['--contracts', resolve(path)]),
    ...set.flatMap((setting) => ['--set', setting]),
    ...(config === undefined ? [] : ['--config', resolve(config)]),
    ...(options['no-config'] ? ['--no-config'] : []),
    ...(tenant === undefined ? [] : ['--tenant', tenant]),
    ...(ask === undefined ? [] : ['--ask', ask]),
    ...(options['read-only'] ? ['--read-only'] : []),
    ...positionals.slice(1),
  ]
  const env = Object.fromEntries(
    stateVariables.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])),
  )
  const seen = await lookAtConfig(request)
  const { mcpServers = {} } = seen?.config ?? {}
  const ofFolder = Object.keys(mcpServers).filter((name) => !mcpServers[name]!.disabled && seen?.scopeOf(name) !== 'everywhere') // biome-ignore format: one line
  const hasChosen = [...toolset, ...contracts, ...set, ...Object.keys(mcpServers)].length > 0 || seen?.config.toolsets || seen?.config.contracts // biome-ignore format: one line
  const variables = findVariables(mcpServers)
  const passed = [...new Set([...stateVariables, ...variables])]
  return {
    entry: client.toStdio!({ command, args, env, passed }),
    token: undefined,
    notes: [
      isPinned
        ? `It serves the folder ${folder}; use --workspace to change it.`
        : `It serves the folder that ${client.title} is opened in; use --workspace DIR to fix one.`,
      ...(hasChosen ? [] : ['It offers the toolset workspace where nothing else is chosen. Choose with --toolset NAME, or run `toolpact mcp add`.']), // biome-ignore format: one line
      ...(!isPinned && file.scope === 'user' && ofFolder.length > 0 ? [`Only where ${client.title} is opened in ${folder}, it uses ${ofFolder.join(', ')}. Add servers for every folder with \`toolpact mcp add --scope everywhere\`.`] : []), // biome-ignore format: one line
      `The entry names this copy of Toolpact (${own[0] ?? command}). If it moves, run toolpact connect ${client.id} again.`,
      ...(variables.length > 0 ? [`Its servers need ${variables.join(', ')} from the environment. Start ${client.title} from a shell that sets them.`] : []), // biome-ignore format: one line
      ...(file.scope === 'project' ? ['The entry contains paths of this machine, so do not commit it.'] : []),
    ],
  }
}

/** Entry for a client that uses a running `toolpact serve`. */
export async function toHttpEntry(opened: OpenedFile, request: Request): Promise<ServerToWrite> {
  const { client, file } = opened
  const { options, positionals } = request
  if (positionals.length > 1) throw new UsageError(`'${positionals[1]}' is for a server that the client starts.`, 'Leave out --http.') // biome-ignore format: one line
  if (options.tenant !== undefined) throw new UsageError('connect does not know the address of a tenant.', `Add its address with /mcp to ${client.title} yourself, with the token of toolpact token create NAME --tenant ${options.tenant}; or leave out --http.`) // biome-ignore format: one line
  const http = (await lookAtConfig(request))?.config.http
  const [issuer] = toIssuers(http?.auth)
  if (issuer) throw new UsageError(`toolpact serve accepts tokens of ${issuer.issuer}, which connect cannot create.`, `Use toolpact connect ${client.id} --stdio.`) // biome-ignore format: one line
  const url = toUrl(options, http)
  const notes = [(await isServing(url)) ? `Toolpact answers at ${url}.` : `Nothing answers at ${url} yet: run toolpact serve, and keep it running.`] // biome-ignore format: one line
  if (options['no-token']) return { entry: client.toHttp!({ url, authorization: undefined }), token: undefined, notes }
  if (file.scope === 'project') return { entry: toSharedEntry(client, url), token: undefined, notes: [...notes, `The token is not written into the project. Start ${client.title} with it: export ${tokenVariable}=$(toolpact token create ${localCaller.name})`] } // biome-ignore format: one line
  const { tokens } = await openOperatorState()
  const caller = options.caller === undefined ? localCaller.name : toCallerName(options.caller)
  const { token, issue } = await toToken(opened, tokens, caller)
  return {
    entry: client.toHttp!({ url, authorization: `Bearer ${token}` }),
    token,
    ...(issue && { issue }),
    notes: [
      ...notes,
      `The token is in the file, which only you can read. toolpact disconnect ${client.id} revokes it.`,
    ],
  }
}

/** The token that the file has, if it is still valid; otherwise a new one, which replaces it. */
async function toToken(opened: OpenedFile, tokens: TokenStore, caller: string) {
  const written = findToken(await findEntry(opened))
  const hash = written === undefined ? undefined : hashToken(written)
  const known = (await tokens.load()).find((token) => token.hash === hash)
  if (written !== undefined && known?.caller === caller && !isExpired(known, Date.now())) return { token: written }
  const made = makeToken(caller, { label: opened.client.id })
  return {
    token: made.token,
    async issue() {
      await tokens.add(toStored(made))
      if (known?.label === opened.client.id) await tokens.revoke([toTokenId(known.hash)])
    },
  }
}

/** The token of ours in an entry. */
export function findToken(entry: JsonObject | undefined): string | undefined {
  return /\btoolpact_[\w-]{43}(?![\w-])/.exec(JSON.stringify(entry ?? {}))?.[0]
}

/** Project files may be committed, so they reference the token's variable instead of the token. */
function toSharedEntry(client: Client, url: string): JsonObject {
  if (!client.toReference) throw new UsageError(`${client.title} cannot read the token from the environment, and a project file should not contain it.`, 'Use --scope user, or leave out --http.') // biome-ignore format: one line
  return client.toHttp!({ url, authorization: `Bearer ${client.toReference(tokenVariable)}`, tokenVariable })
}

function toUrl(options: Options, http: HttpSettings | undefined): string {
  // The certificate is for the name that people use.
  if (http?.tls && http.publicUrl !== undefined && !options.host && !options.port) return `${http.publicUrl}/mcp`
  const host = options.host ?? http?.host ?? '127.0.0.1'
  const port = toPort(options.port) ?? http?.port ?? 7420
  const reached = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host
  return `${http?.tls ? 'https' : 'http'}://${reached.includes(':') ? `[${reached}]` : reached}:${port}/mcp`
}

interface HttpSettings {
  readonly host?: string
  readonly port?: number
  readonly publicUrl?: string | undefined
  readonly tls?: object | undefined
}

/** Environment variables that the configured servers reference. */
function findVariables(mcpServers: object): readonly string[] {
  const servers = JSON.stringify(mcpServers)
  return [...new Set([...servers.matchAll(/\$\{(?:env:)?([A-Za-z_]\w*)(?::-[^}]*)?\}/g)].map(([, name]) => name!))]
}

/** Invalid configs are reported by the commands that use them. `--scope` refers to the client's file, not to ours. */
async function lookAtConfig({ options: { scope: _, tenant: __, ...options } }: Request) {
  if (options['no-config']) return undefined
  return openChosenConfig({ options }).look().catch(() => undefined) // biome-ignore format: one line
}
