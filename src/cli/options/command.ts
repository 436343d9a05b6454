import type { Toolpact, ToolpactOptions } from '../../app/app.ts'
import type { TenantPool } from '../../app/tenants/open-tenants.ts'
import type { Terminal } from '../terminal/terminal.ts'

/** What `--help` shows. */
export interface Help {
  /** Usage lines, without `toolpact`. */
  readonly usage: readonly string[]
  readonly about: string
  readonly options: OptionTable
  readonly examples: readonly (readonly [command: string, what: string])[]
}

/** An action of a command, such as `add` of `mcp`. */
export interface ActionHelp extends Help {
  /** For the list of actions. */
  readonly summary: string
}

/** A subcommand. Its module is loaded on use. */
export interface Command extends Help {
  /** By their names. The options of the command itself are for a command line without an action. */
  readonly actions?: { readonly [name: string]: ActionHelp }
  /** Whether output that is longer than the screen goes to the pager. */
  readonly pages?: (words: readonly string[], options: Options) => boolean
  /** Candidates for the next word in shell completion. */
  readonly next?: (before: readonly string[]) => NextWord | undefined
  /** Returns the exit code. */
  readonly run: (request: Request) => Promise<number>
}

/** What a word on the command line names: something known here, a parameter of a tool, or one of these words. */
export type NextWord =
  | 'tool'
  | 'rule'
  | 'server'
  | 'call'
  | 'session'
  | 'question'
  | 'run'
  | 'workflow'
  | { readonly parametersOf: string }
  | readonly string[]

export interface Request {
  readonly positionals: readonly string[]
  /** Given options by name, checked against the tables. */
  readonly options: Options
  readonly terminal: Terminal
  /** Opens Toolpact with the global options. The caller closes it. `pool`: connections that tenants share. */
  readonly open: (more?: ToolpactOptions, pool?: TenantPool) => Promise<Toolpact>
}

export interface Options {
  readonly workspace?: string
  readonly config?: string
  readonly 'no-config'?: boolean
  readonly tenant?: string
  readonly toolset?: readonly string[]
  readonly contracts?: readonly string[]
  readonly json?: boolean
  readonly debug?: boolean
  readonly 'no-pager'?: boolean
  readonly yes?: boolean
  readonly isolation?: string
  readonly read?: readonly string[]
  readonly write?: readonly string[]
  readonly 'allow-host'?: readonly string[]
  readonly network?: string
  readonly ask?: string
  readonly 'read-only'?: boolean
  readonly 'single-step'?: boolean
  readonly wait?: string
  readonly 'no-wait'?: boolean
  readonly help?: boolean
  readonly input?: string
  readonly tool?: string
  readonly since?: string
  readonly limit?: string
  readonly follow?: boolean
  readonly verify?: boolean
  readonly full?: boolean
  readonly offline?: boolean
  readonly from?: string
  readonly output?: string
  readonly key?: readonly string[]
  readonly keep?: string
  readonly raw?: boolean
  readonly action?: string
  readonly scope?: string
  readonly session?: string
  readonly expires?: string
  readonly overlap?: string
  readonly toolsets?: string
  readonly label?: string
  readonly description?: string
  readonly match?: readonly string[]
  readonly 'no-match'?: readonly string[]
  readonly who?: readonly string[]
  readonly discard?: boolean
  readonly 'reset-clock'?: boolean
  readonly stdio?: boolean
  readonly port?: string
  readonly workers?: string
  readonly owner?: string
  readonly host?: string
  readonly 'no-token'?: boolean
  readonly 'show-link'?: boolean
  readonly 'view-only'?: boolean
  readonly print?: boolean
  readonly device?: boolean
  readonly quiet?: boolean
  readonly 'server-logs'?: string
  readonly log?: string
  readonly 'ask-in'?: string
  readonly 'for-tool'?: boolean
  readonly 'free-form'?: boolean
  readonly 'all-from'?: string
  readonly out?: string
  readonly strict?: boolean
  readonly check?: boolean
  readonly accept?: string
  readonly digest?: string
  readonly varying?: readonly string[]
  readonly env?: readonly string[]
  readonly header?: readonly string[]
  readonly cwd?: string
  readonly type?: string
  readonly replace?: boolean
  readonly 'without-schema'?: string
  readonly 'dry-run'?: boolean
  readonly 'no-connect'?: boolean
  readonly result?: readonly string[]
  readonly schema?: string
  readonly set?: readonly string[]
  readonly risk?: string
  readonly param?: readonly string[]
  readonly returns?: readonly string[]
  readonly error?: readonly string[]
  readonly example?: readonly string[]
  readonly seed?: string
  readonly remove?: readonly string[]
  readonly last?: string
  readonly run?: boolean
  readonly prompt?: string
  readonly continue?: boolean
  readonly 'max-steps'?: string
  readonly timeout?: string
  readonly protocol?: string
  readonly all?: boolean
  readonly approval?: string
  readonly summarize?: boolean
  readonly http?: boolean
  readonly caller?: string
  readonly search?: string
  readonly catalogue?: string
  readonly 'toolpact-asks'?: boolean
  readonly 'allow-sending'?: boolean
  readonly state?: string
  readonly workflow?: string
  readonly after?: string
  readonly step?: string
  readonly done?: string
  readonly again?: boolean
  readonly failed?: boolean
  readonly detach?: boolean
  readonly plan?: boolean
}

export type OptionTable = { readonly [name in keyof Options]?: Option }

interface Option {
  readonly type: 'string' | 'boolean'
  readonly short?: string
  readonly multiple?: boolean
  /** Placeholder for the value in `--help`. */
  readonly value?: string
  readonly about: string
}

/** Disables the question of `policy.dataFlow`. */
export const allowSending = {
  'allow-sending': {
    type: 'boolean',
    about: 'do not ask before a session that has read private data sends to a new host',
  },
} as const satisfies OptionTable

/** The caller of everything that a user runs with this command. */
export const commandCaller = { name: 'cli', via: 'cli' } as const

/** Wrong usage, with a suggestion how to correct it. Exit code 2. */
export class UsageError extends Error {
  readonly suggestion: string | undefined

  constructor(message: string, suggestion?: string) {
    super(message)
    this.suggestion = suggestion
  }
}
