import { normalize } from 'node:path'
import type { ApprovedFiles, CallFiles } from '../../contract/approved-files.ts'
import { digest, digestText } from '../../contract/digest.ts'
import type { JsonObject } from '../../contract/json.ts'
import type { Preview, Tool } from '../../contract/tool.ts'
import { ToolError } from '../../contract/tool-error.ts'
import { type Diff, toDiff } from './diff.ts'

/** A preview of what a call would do, for people. */
export interface Foreseen {
  /** The real paths of what the call touches. */
  readonly places: readonly Place[]
  readonly changes: readonly (Diff & { readonly path: string; readonly kind: 'new' | 'edit' | 'removal' })[]
  /** How a command would be confined. */
  readonly sandbox?: string
  /** The steps of a workflow. */
  readonly steps?: readonly string[]
  /** Why the tool's preview failed. */
  readonly problem?: string
}

export interface Place {
  /** As in the input. */
  readonly path: string
  /** Absolute, with symlinks resolved. Absent if unknown or outside the workspace. */
  readonly real?: string
  readonly exists?: boolean
  readonly problem?: string
}

/** A preview, and a digest that detects later changes. */
export interface LookAhead {
  readonly foreseen: Foreseen
  /** Covers places, contents and changes in full, even if they are shown truncated. */
  readonly digest: string
  /** The files that the call may write if this is approved. */
  readonly approved: ApprovedFiles
}

/** For a call without paths and preview. */
export const nothingAhead: LookAhead = {
  foreseen: { places: [], changes: [] },
  digest: '',
  approved: { places: new Map(), contents: new Map() },
}

interface ForeseeOptions<Capabilities> {
  readonly paths: readonly string[]
  /** Real path of the workspace. */
  readonly workspace: string | undefined
  readonly capabilities: (files: CallFiles) => Capabilities | undefined | Promise<Capabilities | undefined>
}

const maxMs = 10_000

/** Previews a call. Never throws, and is limited in time: a person can decide without it. */
export async function foresee<Capabilities>(
  tool: Tool<Capabilities>,
  input: JsonObject,
  options: ForeseeOptions<Capabilities>,
): Promise<LookAhead> {
  const contents = new Map<string, string>()
  const { changes = [], sandbox, steps, problem } = await previewCall(tool, input, options, contents)
  // Also paths that only the tool's preview names.
  const all = new Set([...options.paths, ...changes.map(({ path }) => path)])
  const places = await locate([...all], options.workspace)
  const shown = { ...(sandbox !== undefined && { sandbox }), ...(problem !== undefined && { problem }) }
  return {
    foreseen: {
      places: places.slice(0, new Set(options.paths).size),
      changes: await Promise.all(changes.map(toChange)),
      ...shown,
      ...(steps && { steps: steps.lines }),
    },
    digest: digest({
      ...toDigested(places, changes),
      contents: Object.fromEntries(contents),
      ...shown,
      ...(steps && { steps: steps.digest }),
    }),
    approved: { places: toRealPlaces(places), contents },
  }
}

type Previewed = Preview & Pick<Foreseen, 'problem'>

async function previewCall<Capabilities>(
  tool: Tool<Capabilities>,
  input: JsonObject,
  options: ForeseeOptions<Capabilities>,
  contents: Map<string, string>,
): Promise<Previewed> {
  if (!tool.preview) return {}
  try {
    const signal = AbortSignal.timeout(maxMs)
    const onRead = (path: string, found: string) => contents.set(normalize(path), found)
    const look = async () => tool.preview!(structuredClone(input), (await options.capabilities({ onRead }))!, signal)
    return await orAbort(look(), signal)
  } catch (cause) {
    return { problem: cause instanceof ToolError ? `it would fail: ${cause.message}` : 'the tool cannot tell' }
  }
}

function toDigested(places: readonly Place[], changes: NonNullable<Preview['changes']>): JsonObject {
  const toText = (text: string | undefined) => (text === undefined ? null : digestText(text))
  return {
    places: places.map(({ path, real = null, exists = null }) => ({ path, real, exists })),
    changes: changes.map(({ path, before, after }) => ({ path, before: toText(before), after: toText(after) })),
  }
}

function toRealPlaces(places: readonly Place[]): Map<string, string> {
  return new Map(places.flatMap(({ path, real }) => (real === undefined ? [] : [[normalize(path), real]])))
}

type Change = NonNullable<Preview['changes']>[number]

async function toChange({ path, before, after }: Change): Promise<Foreseen['changes'][number]> {
  const kind = before === undefined ? 'new' : after === undefined ? 'removal' : 'edit'
  return { path, kind, ...(await toDiff(before ?? '', after ?? '')) }
}

async function locate(paths: readonly string[], workspace: string | undefined): Promise<Place[]> {
  if (paths.length === 0 || workspace === undefined) return paths.map((path) => ({ path }))
  const { openFiles } = await import('../../capabilities/files.ts')
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
