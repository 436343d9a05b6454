import type { Storage } from '../storage.ts'

/** Opens a storage that is closed after the test: an empty one, or the one with that name. */
type OpenNew = (name?: string) => Promise<Storage>

export type Describe = (
  group: string,
  define: (test: (name: string, run: (openNew: OpenNew) => Promise<void>) => unknown) => void,
) => void

export interface SuiteParts {
  readonly describe: Describe
  /** Whether several processes can open the same storage, so that opening it again finds what was stored. */
  readonly isShared: boolean
}
