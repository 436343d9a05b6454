import type { Capabilities } from '../capabilities/capabilities.ts'
import type { JsonObject } from '../contract/json.ts'
import { lazily } from '../contract/lazily.ts'
import { boundJson } from '../contract/schema/bound-json.ts'
import { showText } from '../contract/text/show-value.ts'
import type { Caller } from '../contract/tool.ts'
import { ToolpactError } from '../contract/toolpact-error.ts'
import type { Approver } from '../runtime/approval/approver.ts'
import type { ForeseenCall } from '../runtime/approval/foresee-call.ts'
import { createDeferringApprover } from '../runtime/approval/queue-approvers.ts'
import type { Catalog, ToolsetLoaders } from '../runtime/pipeline/catalog.ts'
import type { Pipeline } from '../runtime/pipeline/pipeline.ts'
import { startQuery } from '../runtime/pipeline/queries.ts'
import type { Storage } from '../runtime/storage/storage.ts'
import type { WorkflowRuns } from '../workflow/run/workflow-runs.ts'
import type { WorkflowFile } from './workflow-files.ts'

interface OpenRunsOptions {
  readonly storage: Storage
  readonly workspace: string
  readonly catalog: () => Catalog<Capabilities>
  readonly pipeline: () => Pipeline
  /** Who is asked about steps whose run no caller waits for. Absent: the queue. */
  readonly approver: Approver | undefined
  readonly keep: (call: Promise<unknown>) => void
  /** What would happen to a call. */
  readonly foresee: (tool: string, input: unknown, caller: Caller) => Promise<ForeseenCall>
  readonly onFault: (message: string, cause: unknown) => void
}

/** How long a question about a step can be answered. */
const askMs = 7 * 86_400_000

/** Workflows as tools, and their runs. What runs them is loaded with the first run. */
export function openRuns(options: OpenRunsOptions) {
  const { storage, workspace, catalog, pipeline, approver: own, keep, foresee, onFault } = options
  const { approvals, ledger, runs: stored } = storage
  const queue = createDeferringApprover({ approvals, keepMs: askMs })
  const dependents = new Map<string, Set<string>>()
  let isOpened = false
  /** What `begin` was called with. */
  let begun: Parameters<WorkflowRuns['begin']>[0] | undefined
  let stopLooking = () => {}
  /** The toolsets with workflows as they were read. */
  let plain: ToolsetLoaders<Capabilities> = {}

  const open = lazily(async () => {
    isOpened = true
    const [{ RunEngine }, { openWorkflowRuns }] = await Promise.all([
      import('../workflow/run/run-engine.ts'),
      import('../workflow/run/open-workflow-runs.ts'),
    ])
    const engine = new RunEngine({
      ...{ runs: stored!, approvals, ledger, workspace, onFault },
      call({ approver = own ?? queue, ...call }) {
        const made = pipeline().call({ ...call, approver, query: startQuery() })
        keep(made)
        return made
      },
      async findContract(tool, caller) {
        const found = catalog().findLoaded(tool, caller) ?? (await catalog().find(tool, caller))
        return found.kind === 'found' ? found.tool.contract : undefined
      },
      async serves(workflow) {
        // Whatever the rights of its caller: their groups are in the run, and each step is checked with them.
        const { kind } = await catalog().find(workflow)
        return kind === 'found' || kind === 'withheld'
      },
      plan,
    })
    const runs = openWorkflowRuns(engine)
    if (begun) runs.begin(begun)
    return { engine, runs }
  })

  const plan: WorkflowRuns['plan'] = async (id, input, caller = { name: 'library' }) => {
    const found = await catalog().find(id, caller)
    const document = found.kind === 'found' ? found.tool.workflow : undefined
    if (found.kind !== 'found' || !document)
      throw new ToolpactError('not_found', `There is no workflow '${showText(id)}'. To see all tools: toolpact list`)
    const [{ planWorkflow }, { toWorkflow }] = await Promise.all([
      import('../workflow/plan/plan-workflow.ts'),
      import('../workflow/document/read-workflow.ts'),
    ])
    const bounded = boundJson(input, { maxBytes: found.tool.contract.limits.inputBytes, maxDepth: 64 })
    const read = await toWorkflow(document)
    if (!read.ok || !bounded.ok) throw new ToolpactError('invalid_option', bounded.ok ? 'The workflow cannot be read.' : bounded.message) // biome-ignore format: one line
    return planWorkflow(read.workflow, bounded.value, {
      id: found.id,
      contract: found.tool.contract,
      async findContract(tool) {
        const other = await catalog().find(tool, caller)
        return other.kind === 'found' ? other.tool.contract : undefined
      },
      foresee: (tool, given) => foresee(tool, given, caller),
    })
  }

  const use = async () => (await open()).runs
  const runs: WorkflowRuns = {
    list: async (query) => (await use()).list(query),
    find: async (id) => (await use()).find(id),
    cancel: async (id, by) => (await use()).cancel(id, by),
    resume: async (id, decision, by) => (await use()).resume(id, decision, by),
    retry: async (id, by) => (await use()).retry(id, by),
    plan,
    wait: async (id, waiting) => (await use()).wait(id, waiting),
    watch: (onChange) => stored!.watch(onChange),
    begin(asking = {}) {
      begun = asking
      if (isOpened) void open().then(({ runs }) => runs.begin(asking), reportFault)
      else lookForRuns()
    },
    pause() {
      stopLooking()
      if (isOpened)
        open().then(
          ({ runs }) => runs.pause(),
          () => {},
        )
    },
  }

  /** Most processes have no run, and what drives runs takes a tenth of the time that a server takes to start. */
  function lookForRuns() {
    const look = () => {
      stored!.list({ workspace, limit: 1 }).then(([run]) => {
        if (!run && !isOpened) return
        stopLooking()
        return open()
      }).catch(reportFault) // biome-ignore format: one line
    }
    stopLooking = stored!.watch(look)
    look()
  }

  function reportFault(cause: unknown) {
    onFault('Runs of workflows cannot go on.', cause)
  }

  return {
    ...(stored && { runs }),
    /** Makes tools of the workflows in contract folders. */
    serve(loaders: ToolsetLoaders<Capabilities>, folders: readonly string[] = []): ToolsetLoaders<Capabilities> {
      const served = folders.flatMap((name) => {
        const load = loaders[name]
        return load ? [[name, () => loadServed(name, load, loaders)] as const] : []
      })
      plain = loaders
      return { ...loaders, ...Object.fromEntries(served) }
    },
    /** Every workflow document of the contract folders. */
    async files(folders: { readonly [toolset: string]: string } = {}): Promise<WorkflowFile[]> {
      return (await import('./workflow-files.ts')).readWorkflowFiles(folders, plain)
    },
    /** The toolsets whose workflows call tools of this one. */
    dependentsOf: (toolset: string): readonly string[] => [...(dependents.get(toolset) ?? [])],
    async close() {
      stopLooking()
      if (isOpened) await (await open()).engine.close()
    },
  }

  async function loadServed(
    name: string,
    load: ToolsetLoaders<Capabilities>[string],
    loaders: ToolsetLoaders<Capabilities>,
  ) {
    const toolset = await load()
    if (!toolset.tools.some(({ workflow }) => workflow)) return toolset
    const { serveWorkflows, toToolset } = await import('./serve-workflows.ts')
    for (const { workflow } of toolset.tools)
      for (const other of toolsIn(workflow).map(toToolset))
        dependents.set(other, (dependents.get(other) ?? new Set()).add(name))
    return serveWorkflows(toolset, {
      loaders,
      run: stored && (async (served, call) => (await import('../workflow/run/run-workflow.ts')).runWorkflow((await open()).engine, served, call)), // biome-ignore format: one line
    })
  }
}

/** The tools that a workflow document names. */
function toolsIn(document: JsonObject | undefined): string[] {
  const steps = (document?.steps ?? []) as { tool?: string; onError?: { tool?: string } }[]
  return steps.flatMap(({ tool, onError }) => [tool ?? [], onError?.tool ?? []].flat())
}
