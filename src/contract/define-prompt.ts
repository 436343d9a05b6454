import type { ContractSource } from './contract.ts'
import { buildTool, checkName, checkNeeds, type NameOf, type OptionsFor, toTitle } from './define-tool.ts'
import type { Infer } from './infer.ts'
import { isObject, type JsonObject, type JsonSchema } from './json.ts'
import { promptPrefix } from './offer.ts'
import { type Completers, toCompleter } from './offer-helpers.ts'
import { promptOutput, toPromptOutput } from './offer-outputs.ts'
import type { Tool, ToolContext } from './tool.ts'
import { ToolError } from './tool-error.ts'
import { ToolpactError } from './toolpact-error.ts'

/**
 * Makes a prompt, which people choose in their MCP client. It is listed with the tools that are passed to `defineToolset`,
 * and getting it is a call of `toolset.prompt:NAME`. Its arguments are the properties of `input`, all strings. `get` returns
 * a text, or messages; their content is sanitized. `complete` offers values for arguments while a person types.
 *
 * @example
 * const review = definePrompt(
 *   {
 *     name: 'review',
 *     description: 'Asks for a review of one note.',
 *     input: {
 *       type: 'object',
 *       properties: { topic: { type: 'string', description: 'What the note is about' } },
 *       required: ['topic'],
 *       additionalProperties: false,
 *     },
 *   },
 *   ({ topic }) => `Review my note about ${topic}. Name what is missing.`,
 *   { complete: { topic: (typed) => ['history', 'physics'].filter((topic) => topic.startsWith(typed)) } },
 * )
 */
export function definePrompt<
  const Source extends PromptSource,
  Capabilities = unknown,
  const Needs extends readonly NameOf<Capabilities>[] = readonly [],
>(
  source: Source,
  get: (
    input: ArgumentsOf<Source>,
    context: ToolContext,
    capabilities: Capabilities,
  ) => PromptResult | ToolError | Promise<PromptResult | ToolError>,
  ...[options]: OptionsFor<PromptHooks<Capabilities>, Capabilities, Needs>
): Tool<Capabilities> {
  const { needs, complete } = (options ?? {}) as PromptHooks<Capabilities> & { readonly needs?: readonly string[] }
  if (!isObject(source))
    throw invalid('definePrompt needs a description of the prompt, an object, as its first argument.')
  checkName(source.name, 'prompt')
  if (typeof get !== 'function')
    throw invalid(`Prompt '${source.name}' has no get: pass a function as the second argument of definePrompt.`)
  checkNeeds(source.name, needs, { hooks: [get, ...Object.values(complete ?? {})] })
  const { input = noArguments, ...rest } = source
  for (const [name, schema] of Object.entries(input.properties ?? {}))
    if (typeof schema === 'boolean' || schema.type !== 'string')
      throw invalid(`The argument '${name}' of prompt '${source.name}' is not a string. MCP sends strings only.`)
  const contract = {
    risk: 'read_only' as const,
    title: toTitle(source.name),
    ...rest,
    name: promptPrefix + source.name,
    input,
    output: promptOutput,
  }
  const helper = complete && toCompleter(contract, complete, needs)
  const run = async (given: JsonObject, context: ToolContext, capabilities: Capabilities) => {
    const result = await get(given as ArgumentsOf<Source>, context, capabilities)
    if (result instanceof ToolError) return result
    return toPromptOutput((typeof result === 'string' ? { messages: [result] } : result) as unknown as JsonObject)
  }
  return buildTool<Capabilities>(contract, run, {
    ...(needs && { needs }),
    offer: { kind: 'prompt', ...(helper && { completedBy: helper.contract.name }) },
    ...(helper && { helpers: [helper] }),
  })
}

/** A prompt as its author writes it. It changes nothing unless it declares a risk. */
export interface PromptSource extends Omit<ContractSource, 'risk' | 'input' | 'output' | 'transport' | 'endpoint'> {
  readonly risk?: ContractSource['risk']
  /** An object whose properties are strings. Default: no arguments. */
  readonly input?: JsonSchema
}

/** The text of one message of the user, or messages. */
export type PromptResult =
  | string
  | {
      readonly description?: string
      readonly messages: readonly {
        readonly role: 'user' | 'assistant'
        /** A text, or an MCP content block. */
        readonly content: string | { readonly type: string; readonly [key: string]: unknown }
      }[]
    }

interface PromptHooks<Capabilities> {
  /** Values for arguments, by the name of the argument. */
  readonly complete?: Completers<Capabilities>
}

type ArgumentsOf<Source extends PromptSource> = Source extends { readonly input: infer Schema }
  ? Infer<Schema>
  : Record<string, never>

const noArguments: JsonSchema = { type: 'object', properties: {}, additionalProperties: false }

function invalid(message: string): ToolpactError {
  return new ToolpactError('invalid_contract', message)
}
