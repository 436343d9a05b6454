import { lstat, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Capabilities } from '../../capabilities/capabilities.ts'
import { definePrompt, type PromptSource } from '../../contract/define-prompt.ts'
import { defineResource, type ResourceSource } from '../../contract/define-resource.ts'
import type { JsonObject, JsonSchema } from '../../contract/json.ts'
import { compileSchema } from '../../contract/schema/compile-schema.ts'
import type { Tool } from '../../contract/tool.ts'
import { type HandlerPlace, loadModule, readNeeds, toNeedsReason } from './load-handler.ts'
import { readDocument } from './read-document.ts'

/** The files of a folder that describe a prompt or a resource end so. */
export const offerEndings = ['.prompt.json', '.resource.json'] as const

interface OfferPlace extends Pick<HandlerPlace, 'load'> {
  readonly folder: string
  /** All file names in the folder. */
  readonly names: readonly string[]
  /** Such as `review.prompt.json`. */
  readonly file: string
}

/**
 * Loads a prompt or a resource. `NAME.prompt.json` has a text, in which `{argument}` is replaced, or the module `NAME.prompt`
 * exports `get`; `NAME.resource.json` names a file of the folder, or the module `NAME.resource` exports `read`. Resolves to the
 * reasons if it is invalid.
 */
export async function loadOffer(place: OfferPlace): Promise<Tool<Capabilities> | readonly string[]> {
  const ending = offerEndings.find((one) => place.file.endsWith(one))!
  const kind = ending === '.prompt.json' ? 'prompt' : 'resource'
  const described = await readDocument(join(place.folder, place.file))
  if (!described.ok) return [described.reason]
  const [problem] = (await compileSchema(schemas[kind])).validate(described.value)
  if (problem) return [`${place.file} is not valid: ${problem.message.replace(/\.$/, '')}`]
  const { $schema, text, file, ...source } = described.value as JsonObject & Given
  const name = place.file.slice(0, -ending.length)
  if (source.name !== name) return [`The ${kind} in ${place.file} is named '${source.name}'. Give both the same name`]
  const own = kind === 'prompt' ? toGet(text) : toRead(place.folder, file, source.mimeType)
  const hooks = own ?? (await loadHooks(place, `${name}.${kind}`, kind))
  if (typeof hooks === 'string') return [hooks]
  const { main, ...more } = hooks
  try {
    // The document was validated, and the modules are the operator's: the types of both are not known here.
    return kind === 'prompt'
      ? definePrompt(source as unknown as PromptSource, main as never, more as never)
      : defineResource(source as unknown as ResourceSource, main as never, more as never)
  } catch (cause) {
    return [(cause as Error).message.replace(/\.$/, '')]
  }
}

interface Given {
  readonly $schema?: string
  readonly name: string
  readonly text?: string
  readonly file?: string
  readonly mimeType?: string
}

interface Hooks {
  readonly main: unknown
  readonly [hook: string]: unknown
}

/** Each argument is inserted once: what a value contains is not replaced again. */
function toGet(text: string | undefined): Hooks | undefined {
  if (text === undefined) return undefined
  const get = (input: { readonly [name: string]: string }) =>
    text.replaceAll(/\{([A-Za-z][A-Za-z0-9_-]*)\}/g, (found, name) =>
      Object.hasOwn(input, name) ? input[name]! : found,
    )
  return { main: get }
}

function toRead(folder: string, file: string | undefined, mimeType = 'text/plain'): Hooks | undefined {
  if (file === undefined) return undefined
  const path = join(folder, file)
  const read = async () => {
    // A link or a pipe may lead elsewhere, or block.
    if (!(await lstat(path).catch(() => undefined))?.isFile()) return undefined
    const bytes = await readFile(path)
    return isText(mimeType) ? bytes.toString('utf8') : new Uint8Array(bytes)
  }
  return { main: read }
}

function isText(mimeType: string): boolean {
  return /^text\/|[/+](?:json|xml|yaml|javascript)$/.test(mimeType)
}

async function loadHooks(
  { file, ...place }: OfferPlace,
  stem: string,
  kind: keyof typeof mains,
): Promise<Hooks | string> {
  const main = mains[kind]
  const found = await loadModule({ ...place, stem })
  if (found === undefined) return `${file} has neither ${kind === 'prompt' ? 'a text' : 'a file'} nor a handler. Write one of them; the handler is ${stem}.ts, which exports a function named ${main}` // biome-ignore format: one line
  if (typeof found === 'string') return found
  const { exports } = found
  const run = exports[main] ?? exports.default
  if (typeof run !== 'function') return `Its handler ${found.file} exports no function. Export one as ${main}, or as default` // biome-ignore format: one line
  const needs = readNeeds(exports)
  if (!needs) return toNeedsReason(found.file)
  const { complete, list, watch } = exports
  if (place.load && watch !== undefined) return `${found.file} exports watch, which a confined folder cannot. Remove it: clients then read the resource again` // biome-ignore format: one line
  const hooks = { complete, ...(kind === 'resource' && { list, watch }), ...(needs.length > 0 && { needs }) }
  return { main: run, ...Object.fromEntries(Object.entries(hooks).filter(([, hook]) => hook !== undefined)) }
}

const mains = { prompt: 'get', resource: 'read' } as const

const text = { type: 'string', minLength: 1 } as const
/** What both have. The contract's own rules apply to what they contain. */
const common = {
  $schema: { type: 'string' },
  name: text,
  title: text,
  description: text,
  risk: { type: 'string' },
  errors: { type: 'array' },
  limits: { type: 'object' },
  effects: { type: 'object' },
  examples: { type: 'array' },
} as const

const schemas: { readonly [kind in keyof typeof mains]: JsonSchema } = {
  prompt: {
    type: 'object',
    required: ['name', 'description'],
    additionalProperties: false,
    properties: { ...common, input: { type: 'object' }, text },
  },
  resource: {
    type: 'object',
    required: ['name', 'description'],
    additionalProperties: false,
    properties: {
      ...common,
      uri: text,
      uriTemplate: text,
      variables: { type: 'object', additionalProperties: text },
      mimeType: text,
      annotations: { type: 'object' },
      file: { ...text, pattern: '^[^/\\\\]+$', not: { enum: ['.', '..'] } },
    },
  },
}
