import type { JsonObject } from '../contract/json.ts'
import type { Preview, Tool } from '../contract/tool.ts'
import { ToolError } from '../contract/tool-error.ts'
import { type Diff, toDiff } from './diff.ts'

/** What a call would do, as far as it can be told without doing it. For people; nobody may rely on it. */
export interface Foreseen {
  /** Where the paths of the call lead. */
  readonly places: readonly Place[]
  readonly changes: readonly (Diff & { readonly path: string; readonly kind: 'new' | 'edit' | 'removal' })[]
  /** How a command would be confined. */
  readonly sandbox?: string
  /** Why it could not be told, where the tool could have told. */
  readonly problem?: string
}

export interface Place {
  /** As the input names it. */
  readonly path: string
  /** Absolute, with links resolved. Absent where it cannot be told, or the path leads out of the workspace. */
  readonly real?: string
  readonly exists?: boolean
  readonly problem?: string
}

interface ForeseeOptions<Capabilities> {
  readonly paths: readonly string[]
  /** Real path of the folder that tools work in. */
  readonly workspace: string | undefined
  readonly capabilities: () => Capabilities | Promise<Capabilities>
}

const longestMs = 10_000

/** Never throws and never waits for long: a person can decide without it. */
export async function foresee<Capabilities>(
  tool: Tool<Capabilities>,
  input: JsonObject,
  options: ForeseeOptions<Capabilities>,
): Promise<Foreseen> {
  const places = await locate([...new Set(options.paths)], options.workspace)
  if (!tool.preview) return { places, changes: [] }
  try {
    const signal = AbortSignal.timeout(longestMs)
    const look = async () => tool.preview!(structuredClone(input), await options.capabilities(), signal)
    const { changes = [], sandbox } = await orAbort(look(), signal)
    return { places, changes: changes.map(toChange), ...(sandbox !== undefined && { sandbox }) }
  } catch (cause) {
    const problem = cause instanceof ToolError ? `it would fail: ${cause.message}` : 'the tool cannot tell'
    return { places, changes: [], problem }
  }
}

function toChange({ path, before, after }: NonNullable<Preview['changes']>[number]): Foreseen['changes'][number] {
  const kind = before === undefined ? 'new' : after === undefined ? 'removal' : 'edit'
  return { path, kind, ...toDiff(before ?? '', after ?? '') }
}

async function locate(paths: readonly string[], workspace: string | undefined): Promise<Place[]> {
  if (paths.length === 0 || workspace === undefined) return paths.map((path) => ({ path }))
  const { openFiles } = await import('../capabilities/files.ts')
  const files = openFiles({ root: workspace })
  return Promise.all(
    paths.map(async (path): Promise<Place> => {
      try {
        const { real, exists } = await files.locate(path)
        return { path, real, exists }
      } catch (cause) {
        return { path, problem: (cause as Error).message }
      }
    }),
  )
}

function orAbort<Result>(promise: Promise<Result>, signal: AbortSignal): Promise<Result> {
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
    promise.then(resolve, reject)
  })
}
