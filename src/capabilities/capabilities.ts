import type { Documents } from './documents.ts'
import type { Files } from './files.ts'
import type { History } from './history.ts'
import type { Model } from './model.ts'
import type { ModelServers } from './model-servers.ts'
import type { Pages } from './pages.ts'
import type { Process } from './process.ts'
import type { Search } from './search.ts'
import type { Web } from './web.ts'
import type { WebSearch } from './web-search.ts'

/** Everything that a built-in tool can be handed to touch the outside world. */
export interface Capabilities {
  readonly files: Files
  readonly search: Search
  readonly process: Process
  readonly web: Web
  readonly pages: Pages
  readonly documents: Documents
  readonly webSearch: WebSearch
  readonly history: History
  readonly model: Model
  /** Cleans transcripts; undefined to use rules alone. */
  readonly transcriptModel: Model | undefined
  readonly modelServers: ModelServers
}
