import { toolsetNameForm } from './forms.ts'
import type { Tool, Toolset } from './tool.ts'

/** Groups tools under a name: `defineToolset('notes', [readNote, writeNote], { description: 'Notes of a person.' })`. */
export function defineToolset<const Tools extends readonly Tool<never>[]>(
  name: string,
  tools: Tools,
  options: { readonly description?: string } = {},
): Toolset<CapabilitiesOf<Tools[number]>> {
  if (typeof name !== 'string' || !toolsetNameForm.test(name)) {
    throw new TypeError(
      `${JSON.stringify(name)} cannot be the name of a toolset: use a letter, then up to 63 letters, digits, _ or -.`,
    )
  }
  const names = new Set<string>()
  for (const tool of tools) {
    if (typeof tool?.run !== 'function') {
      throw new TypeError(`Toolset '${name}' holds something that is not a tool: make tools with defineTool.`)
    }
    if (names.has(tool.contract.name)) {
      throw new TypeError(`Toolset '${name}' has two tools named '${tool.contract.name}': rename one of them.`)
    }
    names.add(tool.contract.name)
  }
  const description = options.description ?? `The tools of ${name}.`
  return Object.freeze({ name, description, tools: Object.freeze([...tools]) }) as Toolset<
    CapabilitiesOf<Tools[number]>
  >
}

/** What all the tools together must be handed: the intersection of what each one names. */
type CapabilitiesOf<AnyTool> = (
  AnyTool extends Tool<infer Capabilities>
    ? (capabilities: Capabilities) => void
    : never
) extends (capabilities: infer Together) => void
  ? Together
  : never
