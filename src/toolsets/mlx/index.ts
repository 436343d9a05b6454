import { defineToolset } from '../../contract/define-toolset.ts'
import { load } from './load.ts'
import { unload } from './unload.ts'

export const mlxctl = defineToolset('mlxctl', [load, unload], {
  description: 'Loads and unloads language models on ports of a model machine.',
})
