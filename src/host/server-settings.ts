import type { Contract, Limits, Risk } from '../contract/contract.ts'
import type { JsonSchema } from '../contract/json.ts'

/** One value for every tool of a server, or one for each tool that is named. */
export type PerTool<Value extends string> = Value | { readonly [tool: string]: Value }

/** What the operator's file says about the tools of one server. */
export interface ServerSettings {
  /** What becomes of tools that declare no output: quoted as data, or left out. Default: refuse. */
  readonly withoutOutputSchema?: 'opaque' | 'refuse'
  /** The only tools that may be used; absent: all that are admitted. An empty list allows none. */
  readonly tools?: readonly string[]
  /** Tools that may not be used. */
  readonly exclude?: readonly string[]
  readonly risk?: PerTool<Risk>
  /** `reads`: tools that look like reads do not ask, others do. */
  readonly approval?: PerTool<Contract['approval']> | 'reads'
  /** Output schemas that a person has attached, by the name of the tool. They come before the tool's own. */
  readonly overlays?: { readonly [tool: string]: { readonly output: JsonSchema } }
  readonly limits?: Partial<Limits>
  /** `server`: its text beside a valid declared output is passed on. Default: it is dropped. */
  readonly text?: 'server' | 'checked'
  /** `strict`: a result without `isError` breaks the contract. Default: it counts as a success, and is noted. */
  readonly responses?: 'strict' | 'tolerant'
}

/** What the settings say about one tool. A tool may be called `constructor`. */
export function settingFor<Value extends string>(setting: PerTool<Value> | undefined, tool: string): Value | undefined {
  if (setting === undefined || typeof setting === 'string') return setting
  return Object.hasOwn(setting, tool) ? setting[tool] : undefined
}
