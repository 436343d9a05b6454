import type { Files } from './files.ts'
import type { OperatorModel } from './model.ts'
import type { Process } from './process.ts'
import type { Search } from './search.ts'
import type { Web } from './web.ts'

/** What every tool can be handed. A toolset may provide more for its own tools. */
export interface Capabilities {
  readonly files: Files
  readonly search: Search
  readonly process: Process
  readonly web: Web
  readonly model: OperatorModel
}

/** Their names. */
export const commonCapabilities = [
  'files',
  'search',
  'process',
  'web',
  'model',
] as const satisfies readonly (keyof Capabilities)[]
