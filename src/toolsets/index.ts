import type { Capabilities } from '../capabilities/capabilities.ts'
import type { Toolset } from '../contract/tool.ts'

/** The toolsets that come with Toolpact, each loaded when first needed. */
export const toolsets: { readonly [name: string]: () => Promise<Toolset<Capabilities>> } = {
  workspace: async () => (await import('./workspace/index.ts')).workspace,
  learning: async () => (await import('./learning/index.ts')).learning,
  practitioner: async () => (await import('./practitioner/index.ts')).practitioner,
  'web-fetch': async () => (await import('./web/index.ts')).webFetch,
  'transcript-clean': async () => (await import('./transcript/index.ts')).transcript,
  mlxctl: async () => (await import('./mlx/index.ts')).mlxctl,
}
