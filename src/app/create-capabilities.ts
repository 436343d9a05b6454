import { type Capabilities, commonCapabilities } from '../capabilities/capabilities.ts'
import type { Files } from '../capabilities/files.ts'
import type { CapabilityOptions } from '../capabilities/open-capabilities.ts'
import type { CallFiles } from '../contract/approved-files.ts'
import { lazily } from '../contract/lazily.ts'
import type { Toolset, ToolsetContext } from '../contract/tool.ts'
import type { Call } from '../runtime/pipeline/call.ts'
import type { ToolsetLoaders } from '../runtime/pipeline/catalog.ts'
import type { CallAccess, MayReach, NeedyTool } from '../runtime/pipeline/pipeline-options.ts'
import type { Config } from './config/config.ts'

export interface CreateOptions
  extends Pick<CapabilityOptions, 'workspace' | 'protectedPaths' | 'keepsState'>,
    Pick<ToolsetContext, 'stateDirectory' | 'notes' | 'keep'> {
  /** Real path of the workspace. */
  readonly root: string
  readonly toolsets: ToolsetLoaders<Capabilities>
  /** The lists of a toolset have changed. */
  readonly onListChange: (toolset: string) => void
  /** The settings of a toolset, valid and with defaults. */
  readonly settingsOf: (toolset: Toolset<never>) => Promise<ToolsetContext['settings']>
}

export interface ToolCapabilities {
  /** The capabilities of a call: only those that its tool needs. */
  forCall(call: Call, tool: NeedyTool, access?: CallAccess): Promise<Capabilities>
  /** The capabilities that a toolset provides for its own tools, by name. */
  provide(toolset: Toolset<never>): Promise<object>
}

/** The capabilities of calls. Each is opened by the first call that uses it. */
export function createCapabilities(config: Config, options: CreateOptions): ToolCapabilities {
  const { policy, model } = config
  const { root, toolsets, settingsOf, onListChange, notes, keep, ...places } = options
  const provided = new Map<string, () => Promise<object>>()

  const common = lazily(async () => {
    const { openCapabilities } = await import('../capabilities/open-capabilities.ts')
    return openCapabilities({
      ...places,
      environment: process.env,
      sandbox: policy?.sandbox,
      network: policy?.sandboxNetwork,
      unixSockets: policy?.sandboxUnixSockets,
      readable: policy?.sandboxRead,
      limits: toLimits(policy?.sandboxLimits),
      keepEnvironment: policy?.keepEnvironment,
      allowHosts: policy?.allowHosts,
      model,
    })
  })

  function provide(toolset: Toolset<never>): Promise<object> {
    const open = provided.get(toolset.name) ?? lazily(() => openOwn(toolset))
    provided.set(toolset.name, open)
    return open()
  }

  async function openOwn(toolset: Toolset<never>): Promise<object> {
    const settings = toolset.settings ? await settingsOf(toolset) : {}
    const own = await toolset.open?.({
      settings,
      workspace: root,
      stateDirectory: places.stateDirectory,
      environment: process.env,
      keepEnvironment: policy?.keepEnvironment ?? [],
      notes,
      changed: () => onListChange(toolset.name),
      keep,
    })
    return { ...(toolset.settings && { settings }), ...own }
  }

  async function ownOf(toolId: string): Promise<object> {
    const toolset = await toolsets[toolId.slice(0, toolId.indexOf('.'))]?.()
    return toolset ? provide(toolset) : {}
  }

  async function commonFor(call: Call, { mayReach, ...asked }: CallAccess): Promise<Capabilities> {
    const { files, web, process, ...others } = await common()
    const { onOutput } = call
    return {
      ...others,
      process: onOutput
        ? { ...process, run: (command, options) => process.run(command, { ...options, onOutput }) }
        : process,
      web: mayReach ? withinReach(web, mayReach) : web,
      files: await forCall(files, call.keep, asked),
    }
  }

  return {
    async forCall(call, { toolId, needs }, access = {}) {
      const own = needs.every(isCommon) ? {} : await ownOf(toolId)
      const all = needs.some(isCommon) ? { ...own, ...(await commonFor(call, access)) } : own
      return Object.fromEntries(needs.map((name) => [name, all[name as never]])) as unknown as Capabilities
    },
    provide,
  }
}

export function isCommon(name: string): boolean {
  return (commonCapabilities as readonly string[]).includes(name)
}

/** Whether a tool needs a capability that only its toolset can provide. */
export function needsOwn({ tools }: Toolset<never>): boolean {
  return tools.some(({ needs = [] }) => !needs.every(isCommon))
}

/** File access that is limited to what was approved, and stores images of changed files. */
async function forCall(files: Files, keepImage: Call['keep'], asked: CallFiles): Promise<Files> {
  const isAsked = asked.approved !== undefined || asked.onRead !== undefined
  const held = isAsked ? (await import('../capabilities/files/with-approved.ts')).withApproved(files, asked) : files
  if (!keepImage) return held
  const { withImages } = await import('../capabilities/files/with-images.ts')
  return withImages(held, keepImage)
}

const megabyte = 1024 * 1024

function toLimits({ processes, memoryMb, fileMb }: NonNullable<NonNullable<Config['policy']>['sandboxLimits']> = {}) {
  return {
    ...(processes !== undefined && { processes }),
    ...(memoryMb !== undefined && { memoryBytes: memoryMb * megabyte }),
    ...(fileMb !== undefined && { fileBytes: fileMb * megabyte }),
  }
}

/** Every fetch of the call asks for approval, so a tool cannot forget to. */
function withinReach(web: Capabilities['web'], mayReach: MayReach): Capabilities['web'] {
  return { ...web, fetch: (url, options) => web.fetch(url, { ...options, mayReach }) }
}
