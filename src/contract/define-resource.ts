import type { ContractSource, DeclaredError } from './contract.ts'
import { buildTool, checkName, checkNeeds, type NameOf, type OptionsFor, toTitle } from './define-tool.ts'
import { isObject, type JsonObject, type JsonSchema, type JsonValue } from './json.ts'
import { type ListedResource, type ResourceOffer, resourcePrefix } from './offer.ts'
import { type Completers, type Lister, toCompleter, toLister } from './offer-helpers.ts'
import { resourceOutput, toResourceOutput } from './offer-outputs.ts'
import type { Tool, ToolContext } from './tool.ts'
import { ToolError } from './tool-error.ts'
import { ToolpactError } from './toolpact-error.ts'
import { parseUriTemplate, type UriTemplate } from './uri-template.ts'

/**
 * Makes a resource, which MCP clients read by its URI, or a template for many of them. It is listed with the tools that are
 * passed to `defineToolset`, and reading it is a call of `toolset.resource:NAME`. The variables of a template are the input
 * of that call, so that `effects` can name them. `read` returns a text, bytes, or contents with their own types; undefined
 * means that there is no such resource. Text is sanitized, and bytes must match their type.
 *
 * @example
 * const note = defineResource(
 *   {
 *     name: 'note',
 *     description: 'One note, as text.',
 *     uriTemplate: 'notes://{id}',
 *     variables: { id: 'Id of the note' },
 *     mimeType: 'text/plain',
 *   },
 *   ({ id }, _context, { store }: { store: Map<string, string> }) => store.get(id),
 *   {
 *     needs: ['store'],
 *     list: (_cursor, _context, { store }) => [...store.keys()].map((id) => ({ uri: `notes://${id}`, name: id })),
 *     complete: { id: (typed, _known, { store }) => [...store.keys()].filter((id) => id.startsWith(typed)) },
 *   },
 * )
 */
export function defineResource<
  const Source extends ResourceSource,
  Capabilities = unknown,
  const Needs extends readonly NameOf<Capabilities>[] = readonly [],
>(
  source: Source,
  read: (
    input: VariablesOf<Source>,
    context: ToolContext,
    capabilities: Capabilities,
  ) => ResourceResult | ToolError | Promise<ResourceResult | ToolError>,
  ...[options]: OptionsFor<ResourceHooks<Capabilities>, Capabilities, Needs>
): Tool<Capabilities> {
  const hooks = (options ?? {}) as ResourceHooks<Capabilities> & { readonly needs?: readonly string[] }
  const { needs, complete, list, watch } = hooks
  if (!isObject(source))
    throw invalid('defineResource needs a description of the resource, an object, as its first argument.')
  checkName(source.name, 'resource')
  if (typeof read !== 'function')
    throw invalid(`Resource '${source.name}' has no read: pass a function as the second argument of defineResource.`)
  checkNeeds(source.name, needs, { hooks: [read, list, ...Object.values(complete ?? {})] })
  const template = toTemplate(source)
  const { uri, uriTemplate, variables = {}, mimeType, size, annotations, ...rest } = source
  const contract = {
    risk: 'read_only' as const,
    title: toTitle(source.name),
    ...rest,
    name: resourcePrefix + source.name,
    input: toInputSchema(variables),
    output: resourceOutput,
    errors: [notFound, ...(source.errors ?? [])],
  }
  const run = async (input: JsonObject, context: ToolContext, capabilities: Capabilities) => {
    const address = template ? template.expand(input as { [name: string]: string }) : uri!
    const result = await read(input as VariablesOf<Source>, context, capabilities)
    if (result instanceof ToolError) return result
    if (result === undefined) return context.fail(notFound.code, `There is no resource ${address}.`)
    return toResourceOutput(address, toContents(result, mimeType))
  }
  const helpers = [
    ...(list ? [toLister(contract, list, needs)] : []),
    ...(complete ? [toCompleter(contract, complete, needs)] : []),
  ]
  const about = {
    name: source.name,
    title: contract.title,
    description: source.description,
    ...(mimeType !== undefined && { mimeType }),
    ...(annotations && { annotations }),
  }
  const offer: ResourceOffer = {
    kind: 'resource',
    resources: template ? [] : [{ uri: uri!, ...about, ...(size !== undefined && { size }) }],
    templates: template ? [{ uriTemplate: uriTemplate!, ...about }] : [],
    toInput: template ? template.match : (address) => (address === uri ? {} : undefined),
    ...(list && { listedBy: helpers[0]!.contract.name }),
    ...(complete && { completedBy: helpers.at(-1)!.contract.name }),
    ...(watch && { watch }),
  }
  return buildTool<Capabilities>(contract, run, {
    ...(needs && { needs }),
    offer,
    ...(helpers.length > 0 && { helpers }),
  })
}

/** A resource as its author writes it: with `uri` or with `uriTemplate`. It changes nothing unless it declares a risk. */
export interface ResourceSource
  extends Omit<ContractSource, 'risk' | 'input' | 'output' | 'transport' | 'endpoint'>,
    Pick<ListedResource, 'mimeType' | 'size' | 'annotations'> {
  readonly risk?: ContractSource['risk']
  readonly uri?: string
  /** RFC 6570 with `{name}`, and `{+name}` for values that may contain `/`. */
  readonly uriTemplate?: string
  /** The variables of the template, each with its description. */
  readonly variables?: { readonly [name: string]: string }
}

/** A text, bytes, or contents. Undefined: there is no such resource. */
export type ResourceResult = string | Uint8Array | ResourceContent | readonly ResourceContent[] | undefined

/** `uri` and `mimeType` are by default those of the resource. */
export interface ResourceContent {
  readonly uri?: string
  readonly mimeType?: string
  readonly text?: string
  readonly bytes?: Uint8Array
}

interface ResourceHooks<Capabilities> {
  /** Lists resources of a template. */
  readonly list?: Lister<Capabilities>
  /** Values for variables, by the name of the variable. */
  readonly complete?: Completers<Capabilities>
  /** Calls `onUpdate` when the content at a URI changes. Returns the function that ends it. Absent: clients cannot subscribe. */
  readonly watch?: (uri: string, onUpdate: () => void) => () => void
}

type VariablesOf<Source extends ResourceSource> = Source extends { readonly variables: infer Variables }
  ? { readonly [Name in keyof Variables]: string }
  : Record<string, never>

const notFound: DeclaredError = {
  code: 'resource_not_found',
  status: 404,
  when: 'There is no resource at this URI.',
  suggestion: 'List the resources, and read one of them.',
}

function toTemplate({ name, uri, uriTemplate, variables = {} }: ResourceSource): UriTemplate | undefined {
  if ((uri === undefined) === (uriTemplate === undefined))
    throw invalid(`Resource '${name}' needs either a uri or a uriTemplate.`)
  if (uriTemplate === undefined) {
    if (URL.canParse(uri!)) return undefined
    throw invalid(`The uri of resource '${name}' is not valid: write one with a scheme, such as notes://readme.`)
  }
  const template = parse(name, uriTemplate)
  const undescribed = template.variables.filter((variable) => !Object.hasOwn(variables, variable))
  const unused = Object.keys(variables).filter((variable) => !template.variables.includes(variable))
  if (undescribed.length > 0)
    throw invalid(`Resource '${name}' needs a description of ${undescribed.join(', ')} under variables.`)
  if (unused.length > 0)
    throw invalid(`The uriTemplate of resource '${name}' does not contain {${unused.join('}, {')}}.`)
  return template
}

function parse(name: string, uriTemplate: string): UriTemplate {
  try {
    return parseUriTemplate(uriTemplate)
  } catch (cause) {
    throw invalid(`The uriTemplate of resource '${name}' cannot be used: ${(cause as Error).message}.`)
  }
}

function toInputSchema(variables: { readonly [name: string]: string }): JsonSchema {
  const names = Object.keys(variables)
  const toVariable = (description: string) => ({ type: 'string', description, minLength: 1, maxLength: 4096 })
  return {
    type: 'object',
    properties: Object.fromEntries(
      names.map((name) => [name, toVariable(variables[name]!)]),
    ) as JsonSchema['properties'],
    ...(names.length > 0 && { required: names }),
    additionalProperties: false,
  }
}

function toContents(result: Exclude<ResourceResult, undefined>, mimeType: string | undefined): JsonValue[] {
  const list: readonly ResourceContent[] =
    typeof result === 'string'
      ? [{ text: result }]
      : result instanceof Uint8Array
        ? [{ bytes: result }]
        : ([result].flat() as ResourceContent[])
  return list.map(({ bytes, text, ...content }) => ({
    ...(mimeType !== undefined && { mimeType }),
    ...content,
    ...(bytes && bytes.length > 0 ? { blob: Buffer.from(bytes).toString('base64') } : { text: text ?? '' }),
  }))
}

function invalid(message: string): ToolpactError {
  return new ToolpactError('invalid_contract', message)
}
