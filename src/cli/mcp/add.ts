import { isAbsolute, relative, resolve } from 'node:path'
import type { ConfigEditor } from '../../app/config/config-editor.ts'
import type { JsonObject } from '../../contract/json.ts'
import { printableJson } from '../../contract/text/printable.ts'
import { setMember } from '../../state/edit-json.ts'
import { offerLogin } from '../connections/offer-login.ts'
import { openChosenConfig } from '../options/chosen-config.ts'
import { type Options, type Request, UsageError } from '../options/command.ts'
import { exitCodes } from '../terminal/exit-codes.ts'
import { paint } from '../terminal/terminal.ts'
import { readUserName } from '../terminal/user-name.ts'
import { findNotOffered, printConfigChange, printEverywhere, printNotOffered } from './config-change.ts'
import {
  areCodeVariablesMeant,
  describeServer,
  printSecrets,
  toCodeVariableLines,
  toTransport,
} from './describe-server.ts'
import { toGrantFolder, toGrantMembers } from './grant-options.ts'
import { settleServers, toAnswers } from './settle-servers.ts'
import { toStatusJson } from './status-report.ts'
import { isServerName } from './to-candidates.ts'

/** Adds a server to the config. */
export async function addServer(request: Request, words: readonly string[]): Promise<number> {
  const { options, terminal } = request
  const [name, ...rest] = words
  if (name === undefined) throw new UsageError('mcp add needs a name.', 'Then the command after --, or a URL.')
  if (!isServerName(name))
    throw new UsageError(`A server cannot be named '${name}'.`, 'Use letters, digits, - and _, at most 64, a letter first.') // biome-ignore format: one line
  const editor = openChosenConfig(request)
  const plain: JsonObject = { ...toEntry(name, rest, options, editor), ...toAnswers(options) }
  const granted = toGrantMembers(options, toGrantFolder(editor))
  if (plain.url !== undefined && Object.keys(granted).length > 0)
    throw new UsageError('--allow-host, --network, --read, --write and --isolation are for servers with a command.')
  const given = { ...plain, ...granted } as JsonObject
  const fault = await editor.findFault(name, given)
  if (fault !== undefined) throw new UsageError(fault)
  const servers = (await editor.look())?.config.mcpServers ?? {}
  if (Object.hasOwn(servers, name) && !options.replace)
    throw new UsageError(`The server '${name}' already exists.`, 'Choose another name, or replace it with --replace.')
  if (!options.json) terminal.print(...toCodeVariableLines(given))
  if (!options.yes && !(await areCodeVariablesMeant(name, given, request))) {
    terminal.log('Not added. Add --yes to add it anyway.')
    return exitCodes.refused
  }
  const { proposeToNew } = await import('./propose.ts')
  const proposed = await proposeToNew([{ name, entry: given }], { folder: toGrantFolder(editor), request })
  const entry = { ...given, ...proposed.get(name) } as JsonObject
  const changed = await editor.change((text) => setMember(text, ['mcpServers', name], entry), readUserName())
  const about = { name, transport: toTransport(entry), reached: describeServer(entry) }
  if (!options.json) terminal.print([paint('green', '✓ '), `Added ${name}: ${about.reached}`])
  printConfigChange(changed, editor, request)
  printSecrets({ [name]: entry }, request)
  await printEverywhere({ [name]: entry }, editor, request)
  await printNotOffered([name], editor, request)
  if (needsDiscovery(entry) && !options['no-connect']) await offerLogin(name, request)
  const [status] = await settleServers([name], editor, request)
  if (options.json) {
    const offered = (await findNotOffered([name], editor)).length === 0
    terminal.print(printableJson({ ...about, config: editor.path, trust: changed.trust, offered, ...(status && { status: toStatusJson(status) }) })) // biome-ignore format: one line
  }
  return exitCodes.success
}

/** A server that is given no credential may require a login. */
function needsDiscovery({ url, headers }: JsonObject): boolean {
  return url !== undefined && headers === undefined
}

function toEntry(
  name: string,
  [first, ...args]: readonly string[],
  options: Options,
  editor: ConfigEditor,
): JsonObject {
  const { env = [], header = [], cwd, type } = options
  if (first === undefined) throw new UsageError(`mcp add ${name} needs a command after --, or a URL.`)
  if (!/^https?:\/\//i.test(first)) {
    if (header.length > 0) throw new UsageError('--header is for servers with a URL.', 'Use --env.')
    if (type !== undefined && type !== 'stdio') throw new UsageError(`--type ${type} is for servers with a URL.`) // biome-ignore format: one line
    return {
      command: first,
      ...(args.length > 0 && { args }),
      ...(env.length > 0 && { env: toPairs(env, 'env', /^([^=]+)=(.*)$/s, 'NAME=VALUE') }),
      ...(cwd !== undefined && { cwd: toFolder(cwd, editor) }),
    }
  }
  if (args.length > 0) throw new UsageError(`mcp add takes one URL, but also got '${args[0]}'.`)
  if (env.length > 0 || cwd !== undefined)
    throw new UsageError(`--${env.length > 0 ? 'env' : 'cwd'} is for servers with a command.`, 'Use --header.') // biome-ignore format: one line
  if (type !== undefined && type !== 'http' && type !== 'sse') throw new UsageError(`--type cannot be '${type}' for a URL.`, 'Use http or sse.') // biome-ignore format: one line
  return {
    ...(type === 'sse' && { type }),
    url: first,
    ...(header.length > 0 && { headers: toPairs(header, 'header', /^([^:]+):\s*(.*)$/s, "'NAME: VALUE'") }),
  }
}

function toPairs(texts: readonly string[], option: string, form: RegExp, shown: string): { [name: string]: string } {
  const pairs = new Map<string, string>()
  for (const text of texts) {
    const [, key, value] = form.exec(text) ?? []
    if (key === undefined) throw new UsageError(`--${option} needs ${shown}.`)
    if (pairs.has(key)) throw new UsageError(`--${option} gives ${key} twice.`)
    pairs.set(key, value!)
  }
  return Object.fromEntries(pairs)
}

/** Resolves a folder against the current directory and rewrites it relative to the config. */
function toFolder(cwd: string, { folder, scope }: ConfigEditor): string {
  if (isAbsolute(cwd) || cwd.startsWith('${')) return cwd
  if (scope === 'everywhere') return resolve(cwd)
  return relative(folder, resolve(cwd)) || '.'
}
