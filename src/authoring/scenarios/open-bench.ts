import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve, sep } from 'node:path'
import type { CallResult } from '../../contract/call-result.ts'
import type { JsonObject } from '../../contract/json.ts'
import { renameTools } from '../../contract/rename-tools.ts'
import type { Caller, Tool, Toolset } from '../../contract/tool.ts'
import type { ToolError } from '../../contract/tool-error.ts'
import type { Approver } from '../../runtime/approval/approver.ts'
import type { CatalogEntry } from '../../runtime/pipeline/catalog.ts'
import type { Violation } from '../../runtime/pipeline/pipeline-options.ts'
import type { Files, StandIn, Subject } from './subject.ts'

/** Opens an isolated Toolpact with only these tools and its own folder. */
type OpenOwn<Capabilities> = (options: {
  readonly toolsets: readonly Toolset<Capabilities>[]
  readonly workspace: string
  readonly stateDirectory: string
  readonly storage: 'memory'
  readonly approver: Approver
  readonly onViolation: (violation: Violation) => void
}) => Promise<{
  call(tool: string, input: unknown, options: { caller: Caller; signal?: AbortSignal }): Promise<CallResult>
  close(): Promise<void>
}>

export type BenchEntry<Capabilities> = Pick<
  CatalogEntry<Capabilities>,
  'id' | 'toolset' | 'toolsetDescription' | 'provision' | 'tool'
>

/** Tools in an isolated pipeline with a temporary workspace. */
export interface Bench {
  subject(id: string): Subject
  /** Removes the workspace. */
  close(): Promise<void>
}

interface BenchOptions<Capabilities> {
  readonly open: OpenOwn<Capabilities>
  /** Whether tools may use the web, processes and models. Default: false. */
  readonly reachOut?: boolean
  readonly signal?: AbortSignal
}

/** Approves everything: callers decide beforehand which tools run, and use stubs for the others. */
export async function openBench<Capabilities>(
  entries: readonly BenchEntry<Capabilities>[],
  { open, reachOut = false, signal }: BenchOptions<Capabilities>,
): Promise<Bench> {
  const folder = mkdtempSync(join(tmpdir(), 'toolpact-testing-'))
  const workspace = join(folder, 'workspace')
  const stateDirectory = join(folder, 'state')
  for (const path of [workspace, stateDirectory]) mkdirSync(path)
  const standIns = new Map<string, StandIn>()
  const ran = new Set<string>()
  const reached = new Map<string, string>()
  const violations = new Map<string, Violation>()
  let callers = 0

  function watch({ tool, provision }: BenchEntry<Capabilities>): Tool<Capabilities> {
    const confined = [...alwaysConfined, ...(provision?.confined ?? [])]
    const handOut = (capabilities: Capabilities, { name }: Caller) =>
      reachOut ? capabilities : confine(capabilities, confined, (capability) => reached.set(name, capability))
    const validate: Tool<Capabilities>['validate'] = (input, context, capabilities) => {
      const { caller } = context
      if (standIns.has(caller.name)) return undefined
      ran.add(caller.name)
      return tool.validate?.(input, context, handOut(capabilities, caller))
    }
    const run: Tool<Capabilities>['run'] = (input, context, capabilities) => {
      const { caller } = context
      ran.add(caller.name)
      const standIn = standIns.get(caller.name)
      if (standIn) return standIn(context) as JsonObject | ToolError
      return tool.run(input, context, handOut(capabilities, caller))
    }
    const { contract, needs } = tool
    return { contract, ...(needs && { needs }), ...(tool.validate && { validate }), run }
  }

  const groups = Map.groupBy(entries, ({ toolset }) => toolset)
  const toolpact = await open({
    toolsets: [...groups].map(([name, [first, ...others]]) => ({
      name,
      description: first!.toolsetDescription,
      // Already checked at the source.
      strict: false,
      ...first!.provision,
      tools: [first!, ...others].map(watch),
    })),
    workspace,
    stateDirectory,
    storage: 'memory',
    approver: async () => ({ answer: 'yes', by: 'toolpact test' }),
    onViolation: (violation) => violations.set(violation.callId, violation),
  })

  return {
    subject: (id) => ({
      id,
      asRead: (text) => {
        const { toolset } = entries.find((entry) => entry.id === id)!
        const siblings = groups.get(toolset)!
        return renameTools(text, (name) => siblings.find(({ tool }) => tool.contract.name === name)?.id)
      },
      async call(input, { standIn, files, caller = `case-${++callers}` } = {}) {
        signal?.throwIfAborted()
        if (standIn) standIns.set(caller, standIn)
        else fill(workspace, files ?? {})
        ran.delete(caller)
        reached.delete(caller)
        const result = await toolpact.call(id, input, { caller: { name: caller }, ...(signal && { signal }) })
        const violation = violations.get(result.callId)
        violations.delete(result.callId)
        standIns.delete(caller)
        return { result, ran: ran.delete(caller), violation, reached: reached.get(caller) }
      },
    }),
    async close() {
      await toolpact.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Capabilities confined to the temporary workspace. Settings are plain data. */
const alwaysConfined: readonly string[] = ['files', 'search', 'settings']

/** Only confined capabilities work. Using another one is reported and throws. */
function confine<Capabilities>(
  capabilities: Capabilities,
  confined: readonly string[],
  reach: (capability: string) => void,
): Capabilities {
  if (typeof capabilities !== 'object' || capabilities === null) return capabilities
  const entries = Object.entries(capabilities).map(([name, capability]) => {
    if (capability === undefined || confined.includes(name)) return [name, capability]
    const refuse = () => {
      reach(name)
      throw new Error(`The capability ${name} is closed: this is a test.`)
    }
    return [name, new Proxy({}, { get: (_, key) => (key === 'then' ? undefined : refuse) })]
  })
  return Object.fromEntries(entries)
}

/** Resets the folder to exactly these files. Keeps the folder itself, because open handles may refer to it. */
function fill(workspace: string, files: Files): void {
  for (const name of readdirSync(workspace)) rmSync(join(workspace, name), { recursive: true, force: true })
  for (const [path, text] of Object.entries(files)) {
    const place = resolve(workspace, path)
    if (!place.startsWith(`${workspace}${sep}`)) throw new Error(`The file ${path} would be outside the workspace.`)
    mkdirSync(dirname(place), { recursive: true })
    writeFileSync(place, text)
  }
}
