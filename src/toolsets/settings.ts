import { mlxSettings } from './mlx/settings.ts'
import { transcriptSettings } from './transcript/settings.ts'
import { webSettings } from './web/settings.ts'

/** The settings of built-in toolsets by name. The config is checked without loading the toolsets themselves. */
export const toolsetSettings = {
  'web-fetch': webSettings,
  'transcript-clean': transcriptSettings,
  mlxctl: mlxSettings,
} as const

/** Deprecated config keys for these settings. */
export const formerKeys = {
  web: 'web-fetch',
  transcript: 'transcript-clean',
  mlx: 'mlxctl',
} as const satisfies { readonly [key: string]: keyof typeof toolsetSettings }
