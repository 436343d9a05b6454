import type { Contract, Limits, Risk } from '../contract/contract.ts'
import type { JsonSchema } from '../contract/json.ts'
import type { SamplingSettings } from './peer/sampling.ts'

/** One value for every tool of a server, or one for each tool that is named. */
export type PerTool<Value extends string> = Value | { readonly [tool: string]: Value }

/** Config settings for the tools of one server. */
export interface ServerSettings {
  /** The server requires a login. `user`: each caller logs in. `service`: Toolpact does, for all. */
  readonly authorization?: { readonly mode?: 'user' | 'service' | 'exchange' }
  /** Whether its process is confined, and to what: see `Grants`. */
  readonly isolation?: 'auto' | 'required' | 'off'
  readonly container?: string
  readonly read?: readonly string[]
  readonly write?: readonly string[]
  readonly network?: 'none' | 'any' | readonly string[]
  /** Tools that declare no output: admit them with quoted results (`opaque`), or withhold them. Default: refuse. */
  readonly withoutOutputSchema?: 'opaque' | 'refuse'
  /** Allowlist of tools; default: all that are admitted. An empty list allows none. */
  readonly tools?: readonly string[]
  /** Denylist of tools. */
  readonly exclude?: readonly string[]
  /** Whether its prompts may be used. Default: true. */
  readonly prompts?: boolean
  /** Whether its resources may be read. Default: true. */
  readonly resources?: boolean
  /** The server may ask a model. Default: no. */
  readonly sampling?: SamplingSettings
  /** What the server may ask for: the workspace folder, or the roots of the client that makes a call. Default: nothing. */
  readonly roots?: 'workspace' | 'client'
  readonly risk?: PerTool<Risk>
  /** `reads`: tools that appear to be read-only run without asking. */
  readonly approval?: PerTool<Contract['approval']> | 'reads'
  /** Output schemas that a person attached, by tool name. They override the tool's own. */
  readonly overlays?: { readonly [tool: string]: { readonly output: JsonSchema } }
  readonly limits?: Partial<Limits>
  /** `server`: pass on the text that accompanies a valid structured output. Default: drop it. */
  readonly text?: 'server' | 'checked'
  /** `strict`: a result without `isError` breaks the contract. Default: it counts as a success, and is noted. */
  readonly responses?: 'strict' | 'tolerant'
}

/** The setting for one tool. Own properties only: a tool may be called `constructor`. */
export function settingFor<Value extends string>(setting: PerTool<Value> | undefined, tool: string): Value | undefined {
  if (setting === undefined || typeof setting === 'string') return setting
  return Object.hasOwn(setting, tool) ? setting[tool] : undefined
}
