import type { Capabilities } from '../../capabilities/capabilities.ts'
import type { JsonObject } from '../../contract/json.ts'
import type { Tool, ToolContext, ValidateContext } from '../../contract/tool.ts'
import type { ToolError } from '../../contract/tool-error.ts'

/**
 * Implements a contract file: the export `run`, or the default export, of the module with the same name next to it. The
 * input is already valid, and the output is validated, so the types only repeat the contract. The export `needs` lists the
 * capabilities that its functions receive; `Own` is the type of those that the folder's own toolset provides.
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

/** The exports of a handler module. */
export type Handling = Pick<Tool<Capabilities>, 'needs' | 'validate' | 'run' | 'preview'>
