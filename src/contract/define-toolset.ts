import { toolsetNameForm } from './forms.ts'
import type { Infer } from './infer.ts'
import type { JsonObject, JsonSchema } from './json.ts'
import type { Tool, Toolset, ToolsetContext } from './tool.ts'
import { ToolpactError } from './toolpact-error.ts'

interface ToolsetOptions<Schema, Provided> {
  readonly description?: string
  /** `false`: `openToolpact` accepts tools whose contracts break lint rules. Default: true. */
  readonly strict?: boolean
  /** JSON Schema of the settings of the toolset: an object. The config has them under the name of the toolset. */
  readonly settings?: Schema
  /** Settings with which the tools give the same result every time, for `toolpact test` and `runExamples`. */
  readonly testSettings?: JsonObject
  /**
   * Opens what the tools are handed in addition to the common capabilities, once for all calls and again when the settings
   * change. It should return immediately: do the work in the returned methods.
   */
  readonly open?: (context: ToolsetContext<SettingsOf<Schema>>) => Provided | Promise<Provided>
  /** What `open` provides that stays within the workspace and the notes. `toolpact test` lets tools use it. */
  readonly confined?: readonly (keyof Provided & string)[]
}

/**
 * Groups tools under a name: `defineToolset('notes', [readNote, writeNote], { description: 'Notes of a person.' })`.
 *
 * @example
 * // Tools list what they use: needs: ['store'].
 * defineToolset('notes', [readNote], {
 *   settings: { type: 'object', properties: { folder: { type: 'string', default: 'notes' } }, additionalProperties: false },
 *   open: ({ settings }) => ({ store: openStore(settings.folder) }),
 * })
 */
export function defineToolset<
  const Tools extends readonly object[],
  const Schema extends JsonSchema = never,
  Provided extends object = Record<never, never>,
>(
  name: string,
  tools: Tools & OnlyTools<Tools>,
  options: ToolsetOptions<Schema, Provided> &
    Fitting<CapabilitiesOf<Tools[number]>, Own<Schema, Provided>> = {} as never,
): Toolset<Beyond<CapabilitiesOf<Tools[number]>, Own<Schema, Provided>>> {
  if (typeof name !== 'string' || !toolsetNameForm.test(name)) {
    throw invalid(
      `${JSON.stringify(name)} cannot be the name of a toolset: use a letter, then up to 63 letters, digits, _ or -.`,
    )
  }
  if (!Array.isArray(tools)) throw invalid(`Toolset '${name}' needs a list of tools as its second argument.`)
  const names = new Set<string>()
  const all = (tools as readonly Tool<never>[]).flatMap((tool) => [tool, ...(tool?.helpers ?? [])])
  for (const tool of all) {
    if (typeof tool?.run !== 'function') {
      throw invalid(`Toolset '${name}' contains something that is not a tool. Make tools with defineTool.`)
    }
    if (names.has(tool.contract.name)) {
      throw invalid(`Toolset '${name}' has two tools named '${tool.contract.name}': rename one of them.`)
    }
    names.add(tool.contract.name)
  }
  const { description = `The tools of ${name}.`, strict, settings, testSettings, open, confined } = options
  if (settings !== undefined && settings.type !== 'object')
    throw invalid(`The settings of toolset '${name}' must be a JSON Schema of an object: { type: 'object', … }.`)
  if (open !== undefined && typeof open !== 'function')
    throw invalid(`The open of toolset '${name}' is not a function.`)
  const toolset = {
    name,
    description,
    ...(strict === false && { strict }),
    tools: Object.freeze(all),
    ...(settings && { settings }),
    ...(testSettings && { testSettings }),
    ...(open && { open }),
    ...(confined && { confined }),
  }
  return Object.freeze(toolset) as never
}

function invalid(message: string): ToolpactError {
  return new ToolpactError('invalid_contract', message)
}

/** Checked here and not by the constraint, which would be the expected type of a tool that is written inline, and its need. */
type OnlyTools<Tools> = Tools extends readonly Tool<never>[] ? unknown : readonly Tool<never>[]

/** The capabilities that all tools together need: the intersection of their types. */
type CapabilitiesOf<AnyTool> = (
  AnyTool extends Tool<infer Capabilities>
    ? (capabilities: Capabilities) => void
    : never
) extends (capabilities: infer Together) => void
  ? Together
  : never

type SettingsOf<Schema> = [Schema] extends [never] ? JsonObject : Infer<Schema>

/** What the toolset itself provides for its tools. */
type Own<Schema, Provided> = Provided & ([Schema] extends [never] ? unknown : { readonly settings: SettingsOf<Schema> })

/** What the toolset provides must be what its tools expect under that name. */
type Fitting<Together, Given> = [Given] extends [Pick<Together, keyof Together & keyof Given>]
  ? unknown
  : { readonly open: (context: never) => Pick<Together, keyof Together & keyof Given> }

/** The needs that the caller must provide. */
type Beyond<Together, Given> = [keyof Together & keyof Given] extends [never] ? Together : Omit<Together, keyof Given>
