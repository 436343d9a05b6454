import { toolsetNameForm } from './forms.ts'
import type { Tool, Toolset } from './tool.ts'
import { ToolpactError } from './toolpact-error.ts'

interface ToolsetOptions {
  readonly description?: string
  /** `false`: `openToolpact` accepts tools whose contracts break lint rules. Default: true. */
  readonly strict?: boolean
}

/** Groups tools under a name: `defineToolset('notes', [readNote, writeNote], { description: 'Notes of a person.' })`. */
export function defineToolset<const Tools extends readonly Tool<never>[]>(
  name: string,
  tools: Tools,
  options: ToolsetOptions = {},
): Toolset<CapabilitiesOf<Tools[number]>> {
  if (typeof name !== 'string' || !toolsetNameForm.test(name)) {
    throw invalid(
      `${JSON.stringify(name)} cannot be the name of a toolset: use a letter, then up to 63 letters, digits, _ or -.`,
    )
  }
  if (!Array.isArray(tools)) throw invalid(`Toolset '${name}' needs a list of tools as its second argument.`)
  const names = new Set<string>()
  for (const tool of tools) {
    if (typeof tool?.run !== 'function') {
      throw invalid(`Toolset '${name}' holds something that is not a tool: make tools with defineTool.`)
    }
    if (names.has(tool.contract.name)) {
      throw invalid(`Toolset '${name}' has two tools named '${tool.contract.name}': rename one of them.`)
    }
    names.add(tool.contract.name)
  }
  const description = options.description ?? `The tools of ${name}.`
  const toolset = { name, description, ...(options.strict === false && { strict: false }), tools: Object.freeze([...tools]) } // biome-ignore format: one line
  return Object.freeze(toolset) as unknown as Toolset<CapabilitiesOf<Tools[number]>>
}

function invalid(message: string): ToolpactError {
  return new ToolpactError('invalid_contract', message)
}

/** What all the tools together must be handed: the intersection of what each one names. */
type CapabilitiesOf<AnyTool> = (
  AnyTool extends Tool<infer Capabilities>
    ? (capabilities: Capabilities) => void
    : never
) extends (capabilities: infer Together) => void
  ? Together
  : never
