import type { Capabilities } from '../../capabilities/capabilities.ts'
import type { JsonObject } from '../../contract/json.ts'
import type { Tool, ToolContext, ValidateContext } from '../../contract/tool.ts'
import type { ToolError } from '../../contract/tool-error.ts'

/**
 * What honours a contract file: the export `run`, or the default one, of the module of the same name beside it. What
 * comes in is valid, and what goes out is checked, so the types only have to say what the contract says. The export `needs`
 * lists the capabilities that its functions are handed; `Own` is the type of those that the folder's own toolset provides.
 *
 * @example
 * // read_note.ts, beside read_note.contract.json
 * export const needs = ['files']
 * export const run: Handler<{ path: string }, { text: string }, 'no_such_note', 'files'> = async ({ path }, { fail }, { files }) => …
 */
export type Handler<
  Input = JsonObject,
  Output = JsonObject,
  Code extends string = string,
  Needs extends keyof Capabilities = never,
  Own = unknown,
> = (
  input: Input,
  context: ToolContext<Code>,
  capabilities: Pick<Capabilities, Needs> & Own,
) => Output | ToolError<Code> | Promise<Output | ToolError<Code>>

/**
 * The export `validate` of the same module: returns the error with which `run` would fail, if that is known without
 * running. It only reads, and runs before a person is asked about the call.
 *
 * @example
 * export const validate: ValidateHandler<{ path: string }, 'no_such_note', 'files'> = async ({ path }, { fail }, { files }) => …
 */
export type ValidateHandler<
  Input = JsonObject,
  Code extends string = string,
  Needs extends keyof Capabilities = never,
  Own = unknown,
> = (
  input: Input,
  context: ValidateContext<Code>,
  capabilities: Pick<Capabilities, Needs> & Own,
) => ToolError<Code> | undefined | Promise<ToolError<Code> | undefined>

/** What a module gives for its contract. */
export type Handling = Pick<Tool<Capabilities>, 'needs' | 'validate' | 'run' | 'preview'>
