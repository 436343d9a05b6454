import { join } from 'node:path'
import { lazily } from '../contract/lazily.ts'
import type { Capabilities } from './capabilities.ts'
import { toProtectedPaths } from './files/protected-paths.ts'
import { openFiles } from './files.ts'
import { openLazyModel } from './model/open-lazy-model.ts'
import type { ModelConfig } from './model/read-model-settings.ts'
import { openProcess, type ProcessOptions } from './process.ts'
import { openSearch } from './search.ts'
import type { Web } from './web.ts'

export interface CapabilityOptions {
  /** The folder that tools work in. */
  readonly workspace: string
  /** Closed to every tool, even inside the workspace. */
  readonly stateDirectory?: string
  /** Files and folders that Toolpact loads settings or code from. Tools may read them but not write them. */
  readonly protectedPaths?: readonly string[]
  /** Whether this process stores its own state there. */
  readonly keepsState?: boolean
  readonly environment: ProcessOptions['environment']
  readonly sandbox?: ProcessOptions['sandbox']
  readonly network?: boolean
  readonly unixSockets?: boolean
  readonly readable?: readonly string[]
  readonly limits?: ProcessOptions['limits']
  readonly keepEnvironment?: readonly string[]
  /** Hosts that tools may fetch from although they are private. */
  readonly allowHosts?: readonly string[]
  /** The model that the config names; the environment overrides it. */
  readonly model?: ModelConfig
}

/** Opens the capabilities of all tools, once for all calls. */
export function openCapabilities(options: CapabilityOptions): Capabilities {
  const { workspace, stateDirectory, environment, allowHosts, model: config } = options
  const closed = stateDirectory === undefined ? [] : [stateDirectory]
  const appends = stateDirectory !== undefined && options.keepsState ? join(stateDirectory, 'appends') : undefined
  const protectedPaths = toProtectedPaths(options.protectedPaths)
  const openModel = (name?: string) => openLazyModel({ environment, config, name })
  return {
    files: openFiles({ root: workspace, denied: closed, protectedPaths, appends }),
    search: openSearch({ root: workspace, denied: closed }),
    process: openProcess({ ...options, cwd: workspace, hidden: closed, protectedPaths }),
    web: openLazyWeb(allowHosts),
    model: { ...openModel(), named: openModel },
  }
}

/** Loaded lazily: loading the HTTP client takes longer than most calls of other tools. */
function openLazyWeb(allowHosts: CapabilityOptions['allowHosts']): Web {
  const open = lazily(async () => (await import('./web.ts')).openWeb({ allowHosts }))
  return {
    fetch: async (url, options) => (await open()).fetch(url, options),
    check: async (url) => (await open()).check(url),
  }
}
