import { lazily } from '../../contract/lazily.ts'
import type { Model } from '../model.ts'
import { toNotConfigured } from './model-error.ts'
import { type ModelConfig, readModelSettings } from './read-model-settings.ts'

interface LazyModelOptions {
  readonly environment: { readonly [name: string]: string | undefined }
  readonly config?: ModelConfig | undefined
  /** Overrides the configured model, at the same endpoint. */
  readonly name?: string | undefined
}

/** The operator's model, loaded with the first question. If none is configured, the question fails and says so. */
export function openLazyModel({ environment, config, name }: LazyModelOptions): Model {
  const read = readModelSettings(name === undefined ? environment : { ...environment, TOOLPACT_MODEL: name }, config)
  const open = lazily(async () => {
    if (!read.ok) throw toNotConfigured(read)
    return (await import('../model.ts')).openModel(read.settings)
  })
  return {
    name: read.ok ? read.settings.model : 'none',
    ...(!read.ok && { fault: toNotConfigured(read) }),
    complete: async (request, options) => (await open()).complete(request, options),
  }
}
