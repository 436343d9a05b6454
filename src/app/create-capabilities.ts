import type { Capabilities } from '../capabilities/capabilities.ts'
import type { Files } from '../capabilities/files.ts'
import type { CapabilityOptions } from '../capabilities/open-capabilities.ts'
import type { CallFiles } from '../contract/approved-files.ts'
import { lazily } from '../contract/lazily.ts'
import type { Call } from '../runtime/pipeline/call.ts'
import type { CallAccess, MayReach } from '../runtime/pipeline/pipeline-options.ts'
import type { Config } from './config/config.ts'

interface CreateOptions
  extends Pick<CapabilityOptions, 'workspace' | 'stateDirectory' | 'protectedPaths' | 'keepsState' | 'notes' | 'keep'> {
  /** Goes before what the config says of transcripts. */
  readonly rulesOnly: boolean | undefined
}

/** What each call may touch. Opened with the first call that touches the world: others start without it. */
export function createCapabilities(
  { policy, web, model, transcript, mlx }: Config,
  { rulesOnly, ...options }: CreateOptions,
): (call: Call, needs: readonly string[], access?: CallAccess) => Promise<Capabilities> {
  const open = lazily(async () => {
    const { openCapabilities } = await import('../capabilities/open-capabilities.ts')
    return openCapabilities({
      ...options,
      environment: process.env,
      sandbox: policy?.sandbox,
      network: policy?.sandboxNetwork,
      unixSockets: policy?.sandboxUnixSockets,
      readable: policy?.sandboxRead,
      limits: toLimits(policy?.sandboxLimits),
      keepEnvironment: policy?.keepEnvironment,
      allowHosts: policy?.allowHosts,
      userAgent: web?.userAgent,
      keepsToRobots: web?.robots,
      webSearch: web?.search,
      model,
      transcript: { ...transcript, ...(rulesOnly !== undefined && { rulesOnly }) },
      modelServers: mlx,
    })
  })
  return async ({ caller, keep: keepImage }, needs, { mayReach, ...asked } = {}) => {
    const all = (await open())(caller)
    const reached = mayReach ? { ...all, ...withinReach(all, mayReach) } : all
    return pick({ ...reached, files: await forCall(reached.files, keepImage, asked) }, needs)
  }
}

/** Files that hold a call to what was approved, and keep images of what it changes. */
async function forCall(files: Files, keepImage: Call['keep'], asked: CallFiles): Promise<Files> {
  const isAsked = asked.approved !== undefined || asked.onRead !== undefined
  const held = isAsked ? (await import('../capabilities/files/with-approved.ts')).withApproved(files, asked) : files
  if (!keepImage) return held
  const { withImages } = await import('../capabilities/files/with-images.ts')
  return withImages(held, keepImage)
}

/** A tool is handed what it needs and nothing else. */
function pick(all: Capabilities, needs: readonly string[]): Capabilities {
  return Object.fromEntries(needs.map((name) => [name, all[name as keyof Capabilities]])) as unknown as Capabilities
}

const megabyte = 1024 * 1024

function toLimits({ processes, memoryMb, fileMb }: NonNullable<NonNullable<Config['policy']>['sandboxLimits']> = {}) {
  return {
    ...(processes !== undefined && { processes }),
    ...(memoryMb !== undefined && { memoryBytes: memoryMb * megabyte }),
    ...(fileMb !== undefined && { fileBytes: fileMb * megabyte }),
  }
}

/** A tool cannot forget to ask: the question goes with every fetch of the call. */
function withinReach({ web, pages }: Capabilities, mayReach: MayReach): Pick<Capabilities, 'web' | 'pages'> {
  return {
    web: { ...web, fetch: (url, options) => web.fetch(url, { ...options, mayReach }) },
    pages: { ...pages, get: (url, options) => pages.get(url, { ...options, mayReach }) },
  }
}
