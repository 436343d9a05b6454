import { parseArgs } from 'node:util'
import { nearest } from '../../contract/text/nearest.ts'
import { type Command, type Options, type OptionTable, UsageError } from './command.ts'

export const globalOptions: OptionTable = {
  workspace: { type: 'string', value: 'DIR', about: 'the folder that tools work in (default: current folder)' },
  config: {
    type: 'string',
    value: 'FILE',
    about: 'a config to use and trust (default: toolpact.json in the workspace)',
  },
  'no-config': { type: 'boolean', about: 'ignore the config of the workspace' },
  tenant: { type: 'string', value: 'NAME', about: 'the tenant, if the servers have several; needs Postgres' },
  toolset: { type: 'string', value: 'NAME', multiple: true, about: 'only this toolset; may be repeated' },
  contracts: {
    type: 'string',
    value: 'DIR',
    multiple: true,
    about: 'add a folder of your own contracts and handlers as a toolset; may be repeated',
  },
  set: {
    type: 'string',
    value: 'TOOLSET.KEY=VALUE',
    multiple: true,
    about: 'a setting of a toolset, over the config: JSON, else text; may be repeated',
  },
  json: { type: 'boolean', about: 'print JSON, for scripts' },
  ask: { type: 'string', value: 'all', about: 'ask before every call, regardless of contracts and rules' },
  'read-only': { type: 'boolean', about: 'deny every call that is not read_only' },
  yes: { type: 'boolean', about: 'approve calls that ask; recorded in the ledger' },
  wait: {
    type: 'string',
    value: 'SECONDS',
    about: 'how long a call waits for approval (default: 60 without a terminal; serve: 45)',
  },
  'no-wait': { type: 'boolean', about: 'without a terminal, do not wait for approval' },
  debug: { type: 'boolean', about: 'print stack traces and contract violations to stderr' },
  'no-pager': { type: 'boolean', about: 'print long output at once; see also TOOLPACT_PAGER and PAGER' },
  help: { type: 'boolean', short: 'h', about: 'show help' },
}

export interface SplitLine {
  /** The command's name, if any. */
  readonly name: string | undefined
  readonly rest: readonly string[]
}

/** Extracts the command's name. Global options may precede it. */
export function splitCommandLine(args: readonly string[]): SplitLine {
  let index = 0
  while (args[index]?.startsWith('-')) {
    const option = globalOptions[args[index]!.slice(2) as keyof Options]
    index += option?.type === 'string' ? 2 : 1
  }
  return { name: args[index], rest: args.toSpliced(index, 1) }
}

/** The options of a command and of all its actions. */
export function toOptionTable({ options, actions = {} }: Pick<Command, 'options' | 'actions'>): OptionTable {
  return Object.assign({}, options, ...Object.values(actions).map((action) => action.options))
}

/** The name of the action, if the first word is one. */
export function findAction({ actions = {} }: Command, [word]: readonly string[]): string | undefined {
  return word !== undefined && Object.hasOwn(actions, word) ? word : undefined
}

/** Refuses options of other actions: they would be ignored, and may be meant to narrow what is done. */
export function refuseOthers(name: string, command: Command, words: readonly string[], given: Options): void {
  const action = findAction(command, words)
  const own: OptionTable = { ...globalOptions, ...(action ? command.actions![action]! : command).options }
  const found = Object.keys(given).find((option) => !Object.hasOwn(own, option))
  if (found === undefined) return
  const word = action ?? (words[0] === 'list' ? 'list' : undefined)
  const taker = Object.entries(command.actions ?? {}).find(([, { options }]) => Object.hasOwn(options, found))
  const { value }: { value?: string } = (taker?.[1].options as { [name: string]: { value?: string } })?.[found] ?? {}
  throw new UsageError(
    `${word ? `${name} ${word}` : name} does not take --${found}.`,
    taker && `Use toolpact ${name} ${taker[0]} --${found}${value ? ` ${value}` : ''}.`,
  )
}

/** Parses options and positionals. Unknown options are refused. */
export function parseOptions(args: readonly string[], table: OptionTable): { positionals: string[]; options: Options } {
  const options = { ...globalOptions, ...table } as { readonly [name: string]: NonNullable<OptionTable['tool']> }
  const parsed = parseArgs({ args: args.map(toCurrent), options, strict: false, tokens: true })
  const seen = new Set<string>()
  for (const token of parsed.tokens) {
    if (token.kind !== 'option') continue
    const option = Object.hasOwn(options, token.name) ? options[token.name]! : undefined
    if (!option) throw toUnknownOption(token.rawName, Object.keys(options))
    if (option.type === 'boolean' && token.value !== undefined)
      throw new UsageError(`The option --${token.name} takes no value.`)
    // In `--limit --json` the value is missing; `--limit=--json` is deliberate.
    if (option.type === 'string' && (token.value === undefined || (!token.inlineValue && /^-./.test(token.value))))
      throw new UsageError(`The option --${token.name} needs a value: --${token.name} ${option.value}.`)
    if (seen.has(token.name) && !option.multiple) throw new UsageError(`The option --${token.name} is given twice.`)
    seen.add(token.name)
  }
  return { positionals: parsed.positionals, options: parsed.values as Options }
}

/** Options of earlier versions, and what they are now. */
const formerOptions: { readonly [option: string]: string } = {
  '--rules-only': '--set=transcript-clean.rulesOnly=true',
}

function toCurrent(word: string): string {
  return Object.hasOwn(formerOptions, word) ? formerOptions[word]! : word
}

function toUnknownOption(found: string, names: readonly string[]): UsageError {
  const close = nearest(found.replace(/^-+/, ''), names)
  return new UsageError(`There is no option ${found}.`, close && `Did you mean --${close}?`)
}
