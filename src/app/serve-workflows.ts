import type { Capabilities } from '../capabilities/capabilities.ts'
import type { JsonObject } from '../contract/json.ts'
import type { Tool, ToolContext, Toolset } from '../contract/tool.ts'
import type { ToolsetLoaders } from '../runtime/pipeline/catalog.ts'
import { checkWorkflow } from '../workflow/check/check-workflow.ts'
import { toWorkflow, type WorkflowProblem } from '../workflow/document/read-workflow.ts'
import { toCalls, toContract } from '../workflow/document/to-contract.ts'
import type { Workflow } from '../workflow/document/workflow.ts'
import type { ServedWorkflow } from '../workflow/run/run-workflow.ts'
import { toReason } from './contract-folders/load-workflow.ts'

type RunWorkflow = (
  served: ServedWorkflow,
  call: { readonly input: JsonObject; readonly context: ToolContext },
) => ReturnType<Tool['run']>

interface ServeOptions {
  /** The other toolsets, with workflows as they were read. */
  readonly loaders: ToolsetLoaders<Capabilities>
  /** Absent: the storage cannot keep runs. */
  readonly run: RunWorkflow | undefined
}

/**
 * Completes the workflows of a toolset with the contracts of the tools that they call, and withholds those that cannot run, with
 * the reasons. To be repeated when these tools change.
 */
export async function serveWorkflows(
  toolset: Toolset<Capabilities>,
  options: ServeOptions,
): Promise<Toolset<Capabilities>> {
  const judged = await Promise.all(
    toolset.tools.map(async (tool) => ({ tool, served: tool.workflow ? await serve(toolset, tool, options) : tool })),
  )
  const withheld = judged.flatMap(({ tool, served }) =>
    isTool(served) ? [] : [{ name: tool.contract.name, reasons: served }],
  )
  return Object.freeze({
    ...toolset,
    tools: Object.freeze(judged.flatMap(({ served }) => (isTool(served) ? [served] : []))),
    withheld: [...(toolset.withheld ?? []), ...withheld],
  })
}

type Reasons = readonly string[]

function isTool(served: Tool<Capabilities> | Reasons): served is Tool<Capabilities> {
  return 'contract' in served
}

async function serve(
  toolset: Toolset<Capabilities>,
  { contract: base, workflow: document }: Tool<Capabilities>,
  { loaders, run }: ServeOptions,
): Promise<Tool<Capabilities> | Reasons> {
  if (!run) return ['The storage keeps no runs of workflows. Use one that does, such as SQLite or Postgres']
  const read = await toWorkflow(document!)
  if (!read.ok) return toReasons(read.problems)
  const { workflow } = read
  const { problems, contractOf } = await judgeWorkflow(workflow, { ...loaders, [toolset.name]: async () => toolset })
  const reasons = toReasons(problems)
  if (reasons.length > 0) return reasons
  // The config may have lowered its limits.
  const contract = toContract({ ...workflow, limits: base.limits }, contractOf)
  const served = { id: `${toolset.name}.${contract.name}`, workflow, document: document!, contract }
  return Object.freeze({
    contract,
    workflow: document!,
    async preview(input: JsonObject) {
      const { previewWorkflow } = await import('../workflow/plan/preview-workflow.ts')
      return previewWorkflow(workflow, input, { id: served.id, contract, contractOf })
    },
    run: (input: JsonObject, context: ToolContext) => run(served, { input, context }),
  })
}

function toReasons(problems: readonly WorkflowProblem[]): Reasons {
  return problems
    .filter(({ severity }) => severity === 'error')
    .map(({ pointer, message }) => toReason(pointer, message))
}

/** Checks a workflow against the tools that are served with it. */
export async function judgeWorkflow(workflow: Workflow, loaders: ToolsetLoaders<Capabilities>) {
  const found = new Map<string, Tool<Capabilities> | { readonly reason?: string | undefined }>()
  const ids: string[] = []
  for (const name of new Set(toCalls(workflow).map(({ tool }) => toToolset(tool)))) {
    const toolset = Object.hasOwn(loaders, name) ? await loaders[name]!() : undefined
    for (const { contract } of toolset?.tools ?? []) ids.push(`${name}.${contract.name}`)
    for (const { tool } of toCalls(workflow)) if (toToolset(tool) === name) found.set(tool, findTool(tool, toolset))
  }
  const contractOf = (id: string) => {
    const tool = found.get(id)
    return tool && 'contract' in tool ? tool.contract : undefined
  }
  const problems = await checkWorkflow(workflow, {
    findContract: contractOf,
    findWithheld(id) {
      const tool = found.get(id)
      return tool && 'reason' in tool ? tool.reason : undefined
    },
    toolIds: ids,
  })
  return { problems, contractOf }
}

/** The name of the toolset in the id of a tool. */
export function toToolset(id: string): string {
  return id.slice(0, id.indexOf('.'))
}

function findTool(id: string, toolset: Toolset<Capabilities> | undefined) {
  const name = id.slice(id.indexOf('.') + 1)
  const tool = toolset?.tools.find(({ contract }) => contract.name === name)
  if (tool?.workflow) return { reason: 'it is a workflow, and a workflow calls tools only. Copy its steps' }
  if (tool) return tool
  const held = toolset?.withheld?.find((one) => one.name === name)
  return { reason: held?.reasons.join('; ') ?? toolset?.fault?.replace(/\.$/, '') }
}
