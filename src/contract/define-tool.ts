import { type Contract, type ContractSource, defaultLimits } from './contract.ts'
import { deepFreeze } from './deep-freeze.ts'
import { toolNameForm } from './forms.ts'
import type { Infer, InferInput } from './infer.ts'
import { isObject, type JsonObject, type JsonSchema, type JsonValue } from './json.ts'
import { fromStandardSchema } from './standard/from-standard-schema.ts'
import {
  isStandardSchema,
  type StandardInput,
  type StandardJsonSchema,
  type StandardOutput,
} from './standard/standard-json-schema.ts'
import type { Preview, Tool, ToolContext, ValidateContext } from './tool.ts'
import type { ToolError } from './tool-error.ts'
import { ToolpactError } from './toolpact-error.ts'

/**
 * Makes a tool from its contract and its implementation, `run`. The types of input and output are inferred from the
 * schemas. `needs` lists the capabilities that the tool uses; each call receives exactly those, as the third parameter
 * of `run`. `validate` rejects calls that would fail before a person is asked to approve them; `preview` shows that
 * person what the call would change. Schemas are JSON Schema, or come from a library that implements Standard JSON
 * Schema and are converted once, here.
 *
 * @example
 * const readNote = defineTool(
 *   {
 *     name: 'read_note',
 *     description: 'Reads one note.',
 *     risk: 'read_only',
 *     input: {
 *       type: 'object',
 *       properties: { path: { type: 'string', description: 'Path of the note' } },
 *       required: ['path'],
 *       additionalProperties: false,
 *     },
 *     output: {
 *       type: 'object',
 *       properties: { text: { type: 'string', description: 'What the note says' } },
 *       required: ['text'],
 *       additionalProperties: false,
 *     },
 *     effects: { reads: ['path'] },
 *   },
 *   async ({ path }, _context, { files }: { files: { read(path: string): Promise<string> } }) => ({
 *     text: await files.read(path),
 *   }),
 *   { needs: ['files'] },
 * )
 */
export function defineTool<
  const Source extends ToolSource,
  Capabilities = unknown,
  const Needs extends readonly NameOf<Capabilities>[] = readonly [],
>(
  source: Source & NoMoreFields<Source>,
  run: Run<Source, Capabilities>,
  ...[options]: OptionsFor<Ahead<Source, Capabilities>, Capabilities, Needs>
): Tool<Capabilities, SentTo<Source['input']>, ValueOf<Source['output']>> {
  if (isObject(source)) checkName(source.name)
  const { needs, validate, preview } = (options ?? {}) as BuildOptions<Capabilities>
  checkNeeds(source?.name, needs, { hooks: [run, validate], preview })
  return buildTool(source, run as unknown as Tool<Capabilities>['run'], options as BuildOptions<Capabilities>) as never
}

/** The hooks of a tool, without the types of its input and output. */
type BuildOptions<Capabilities> = Partial<
  Pick<Tool<Capabilities>, 'needs' | 'validate' | 'checkedByRun' | 'preview' | 'offer' | 'helpers'>
>

/** Makes a tool, a prompt or a resource, once its name is checked. */
export function buildTool<Capabilities>(
  source: ToolSource,
  run: Tool<Capabilities>['run'],
  { needs = [], validate, checkedByRun, preview, offer, helpers }: BuildOptions<Capabilities> = {},
): Tool<Capabilities> {
  checkSource(source)
  if (typeof run !== 'function') {
    throw invalid(`Tool '${source.name}' has no run: pass a function as the second argument of defineTool.`)
  }
  if (validate !== undefined && typeof validate !== 'function') {
    throw invalid(`The validate of tool '${source.name}' is not a function.`)
  }
  const contract = toContract(source)
  requireJson(contract, source.name, '')
  // A contract is immutable: its digest, approvals and compiled schemas depend on it.
  deepFreeze(contract)
  // The pipeline validates input and output, so the typed run is safe to call with plain JSON.
  return Object.freeze({
    contract,
    ...(needs.length > 0 && { needs: Object.freeze([...needs]) }),
    ...(validate && { validate }),
    ...(checkedByRun && { checkedByRun }),
    ...(offer && { offer: Object.freeze(offer) }),
    ...(helpers && { helpers: Object.freeze(helpers) }),
    run,
    ...(preview && { preview }),
  })
}

/** A `validate` for tools that have no failure which is known before they run, beyond their input schema. */
export const nothingToValidate = () => undefined

/** A contract whose schemas may come from another library. */
export interface ToolSource extends Omit<ContractSource, 'input' | 'output'> {
  readonly input: JsonSchema | StandardJsonSchema
  readonly output: JsonSchema | StandardJsonSchema
}

type NoMoreFields<Source> = { readonly [Field in Exclude<keyof Source, keyof ContractSource>]: never }

/**
 * An always-true condition makes TypeScript resolve the schemas before it infers the return type of `run`: `'a'` stays
 * `'a'`.
 */
type Run<Source extends ToolSource, Capabilities> = Source extends ToolSource
  ? (
      input: ValueOf<Source['input']>,
      context: ToolContext<CodeOf<Source>>,
      capabilities: Capabilities,
    ) => Returned<Source> | Promise<Returned<Source>>
  : never

/** The names of the capabilities. */
export type NameOf<Capabilities> = [Capabilities] extends [never] ? never : keyof NonNullable<Capabilities> & string

/** `needs` is required if `run` takes capabilities, and must list each of them. */
export type OptionsFor<Ahead, Capabilities, Needs extends readonly string[]> = [NameOf<Capabilities>] extends [never]
  ? [options?: Ahead & { readonly needs?: readonly [] }]
  : [
      options: Ahead & {
        readonly needs: [Exclude<NameOf<Capabilities>, Needs[number]>] extends [never]
          ? Needs
          : readonly NameOf<Capabilities>[] & { readonly missing: Exclude<NameOf<Capabilities>, Needs[number]> }
      },
    ]

/** Hooks that run before a person is asked. Both must only read. */
interface Ahead<Source extends ToolSource, Capabilities> {
  readonly validate?: (
    input: ValueOf<Source['input']>,
    context: ValidateContext<CodeOf<Source>>,
    capabilities: Capabilities,
  ) => Found<Source> | Promise<Found<Source>>
  /** Whether `run` makes all checks of `validate` itself. They are then skipped for calls that need no approval. */
  readonly checkedByRun?: boolean
  readonly preview?: (
    input: ValueOf<Source['input']>,
    capabilities: Capabilities,
    signal: AbortSignal,
  ) => Preview | Promise<Preview>
}

type Found<Source extends ToolSource> = ToolError<CodeOf<Source>> | undefined

type Returned<Source extends ToolSource> = ValueOf<Source['output']> | ToolError<CodeOf<Source>>

/** The codes that a contract declares; any string if the contract is not a literal. */
type CodeOf<Source extends ToolSource> = 'errors' extends keyof Source
  ? NonNullable<Source['errors']> extends readonly (infer Declared extends { code: string })[]
    ? Declared['code']
    : never
  : never

/** What `run` receives and returns: defaults are set. */
type ValueOf<Schema> = Schema extends StandardJsonSchema ? StandardOutput<Schema> : AsObject<Infer<Schema>>

/** What a caller may send. */
type SentTo<Schema> = Schema extends StandardJsonSchema ? StandardInput<Schema> : AsObject<InferInput<Schema>>

/** The root of an input or output is an object, even if its schema is not a literal. */
type AsObject<T> = JsonValue extends T ? JsonObject : T

const fields = [
  'name',
  'title',
  'description',
  'version',
  'status',
  'transport',
  'endpoint',
  'risk',
  'approval',
  'idempotent',
  'input',
  'output',
  'errors',
  'limits',
  'effects',
  'summary',
  'constraints',
  'examples',
] as const satisfies (keyof Contract)[]

/** `what`: a tool, a prompt or a resource. */
export function checkName(name: unknown, what = 'tool'): void {
  if (typeof name !== 'string' || !toolNameForm.test(name)) {
    throw invalid(
      `${JSON.stringify(name)} cannot be the name of a ${what}: use a letter, then up to 63 letters, digits, _ . or -.`,
    )
  }
}

/** Checks what a type checker would reject; the linter checks the rest. */
function checkSource(source: ToolSource): void {
  if (!isObject(source)) throw invalid('defineTool needs a contract, an object, as its first argument.')
  const { name } = source
  for (const field of Object.keys(source)) {
    if (!(fields as readonly string[]).includes(field)) {
      throw invalid(`The contract of '${name}' has an unknown field '${field}'. Fields are ${fields.join(', ')}.`)
    }
  }
  if (typeof source.description !== 'string') {
    throw invalid(`The contract of '${name}' needs a description that says what the tool does.`)
  }
  if (!['read_only', 'safe_write', 'dangerous'].includes(source.risk)) {
    throw invalid(`The contract of '${name}' needs a risk: read_only, safe_write or dangerous.`)
  }
  for (const side of ['input', 'output'] as const) {
    if (!isObject(source[side]) && !isStandardSchema(source[side])) {
      throw invalid(`The contract of '${name}' needs an ${side} schema: { type: 'object', … }.`)
    }
  }
  for (const field of ['errors', 'constraints', 'examples'] as const) {
    if (source[field] !== undefined && !Array.isArray(source[field]))
      throw invalid(`The ${field} of the contract of '${name}' must be a list: ${field}: [ … ].`)
  }
  if (source.idempotent !== undefined && typeof source.idempotent !== 'boolean')
    throw invalid(`The idempotent of the contract of '${name}' must be true or false.`)
  for (const field of ['limits', 'effects', 'summary'] as const) {
    if (source[field] !== undefined && !isObject(source[field]))
      throw invalid(`The ${field} of the contract of '${name}' must be an object: ${field}: { … }.`)
  }
}

/** JavaScript authors get no type error for a missing `needs`. */
export function checkNeeds(
  name: string,
  needs: unknown = [],
  { hooks, preview }: { readonly hooks: readonly unknown[]; readonly preview?: unknown },
): void {
  if (!Array.isArray(needs) || !needs.every((need) => typeof need === 'string')) {
    throw invalid(`The needs of tool '${name}' must be a list of names, such as needs: ['files'].`)
  }
  const takes = (part: unknown, parameters: number) => typeof part === 'function' && part.length >= parameters
  if (needs.length === 0 && (hooks.some((hook) => takes(hook, 3)) || takes(preview, 2))) {
    throw invalid(
      `Tool '${name}' takes capabilities but does not list them. Pass their names as the third argument of defineTool: { needs: ['files'] }.`,
    )
  }
}

function toContract(source: ToolSource): Contract {
  return {
    name: source.name,
    title: source.title ?? toTitle(source.name),
    description: source.description,
    version: source.version ?? '1.0.0',
    status: source.status ?? 'active',
    ...(source.transport !== undefined && { transport: source.transport }),
    ...(source.endpoint !== undefined && { endpoint: source.endpoint }),
    risk: source.risk,
    approval: source.approval ?? (source.risk === 'read_only' ? 'never' : 'ask'),
    ...(source.idempotent !== undefined && { idempotent: source.idempotent }),
    input: toSchema(source, 'input'),
    output: toSchema(source, 'output'),
    errors: source.errors ?? [],
    limits: { ...defaultLimits, ...source.limits },
    effects: source.effects ?? {},
    ...(source.summary && { summary: source.summary }),
    ...(source.constraints && { constraints: source.constraints }),
    examples: source.examples ?? [],
  }
}

function toSchema(source: ToolSource, side: 'input' | 'output'): JsonSchema {
  const schema = source[side]
  return isStandardSchema(schema) ? fromStandardSchema(schema, side, source.name) : schema
}

/** The default title of a tool: `read_file` becomes `Read file`. */
export function toTitle(name: string): string {
  const words = name.replaceAll(/[_.-]+/g, ' ').trim()
  return words.charAt(0).toUpperCase() + words.slice(1)
}

const maximumDepth = 200

function requireJson(value: unknown, name: string, pointer: string, depth = 0): void {
  if (value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return
  if (typeof value !== 'object') {
    throw invalid(
      `The contract of '${name}' contains ${typeof value} at ${pointer}. A contract is JSON: omit it, or write a value.`,
    )
  }
  if (depth === maximumDepth) {
    throw invalid(`The contract of '${name}' is nested too deep, or contains itself, at ${pointer.slice(0, 80)}….`)
  }
  for (const [key, part] of Object.entries(value)) requireJson(part, name, `${pointer}/${key}`, depth + 1)
}

function invalid(message: string): ToolpactError {
  return new ToolpactError('invalid_contract', message)
}
