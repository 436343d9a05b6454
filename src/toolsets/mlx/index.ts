import { defineToolset } from '../../contract/define-toolset.ts'
import { lazily } from '../../contract/lazily.ts'
import type { ToolsetContext } from '../../contract/tool.ts'
import type { ModelServers } from './capability/model-servers.ts'
import { load } from './load.ts'
import { type MlxSettings, mlxSettings } from './settings.ts'
import { unload } from './unload.ts'

export const mlxctl = defineToolset('mlxctl', [load, unload], {
  description: 'Loads and unloads language models on ports of a model machine.',
  settings: mlxSettings,
  open,
})

/** A load that is cancelled still stops what it has started, so closing waits for it. */
function open({ settings, stateDirectory, environment, keepEnvironment, keep }: ToolsetContext<MlxSettings>): {
  readonly modelServers: ModelServers
} {
  const servers = lazily(async () => {
    const { openModelServers } = await import('./capability/model-servers.ts')
    return openModelServers({
      ...settings,
      environment,
      keepEnvironment,
      // Servers outlive this process, even if no other state is kept.
      directory: `${stateDirectory}/model-servers`,
    })
  })
  const kept = <Result>(work: Promise<Result>) => {
    keep(work)
    return work
  }
  return {
    modelServers: {
      load: (model, port, request) => kept(servers().then((opened) => opened.load(model, port, request))),
      checkLoad: async (model, port) => (await servers()).checkLoad(model, port),
      checkUnload: async (port) => (await servers()).checkUnload(port),
      unload: (port, request) => kept(servers().then((opened) => opened.unload(port, request))),
    },
  }
}
