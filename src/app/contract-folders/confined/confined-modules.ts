import type { Capabilities } from '../../../capabilities/capabilities.ts'
import { withFault } from '../../../contract/evidence.ts'
import { isObject, type JsonObject, type JsonValue } from '../../../contract/json.ts'
import type { Tool, ToolContext, Toolset, ToolsetContext } from '../../../contract/tool.ts'
import { ToolError } from '../../../contract/tool-error.ts'
import type { Confinement } from '../../../host/connect/confinement.ts'
import { isCommon } from '../../create-capabilities.ts'
import type { FolderConfinement } from '../../isolation/confine-folder.ts'
import { type Exports, type LoadModule, toWords } from '../import-module.ts'
import { FolderProcess, type FolderProcessOptions } from './folder-process.ts'
import { type CallRequest, type DescribedModule, decodeBytes, shapes } from './messages.ts'
import { FolderProcessEnded } from './running-folder.ts'

/** What tools of a confined folder get from the parent: which opening of their capabilities is theirs. */
export const openingName = 'opening'

/** More than a module has by itself, so that its own message is seen. */
const loadMs = 12_000

export interface ConfinedModules {
  readonly load: LoadModule
  /** A tool as the parent serves it, or why it cannot be offered. */
  toServed(tool: Tool<Capabilities>): Tool<Capabilities> | string
  /** The `open` of the toolset, in the process. */
  toOpen(module: string | undefined): NonNullable<Toolset['open']>
  close(): Promise<void>
}

type ModulesOptions = Pick<FolderProcessOptions, 'name' | 'folder'> & FolderConfinement

/**
 * The modules of a confined folder. Their functions run in its process; what they export looks here as if it were loaded.
 * Undefined if nothing confines it.
 */
export async function openConfinedModules(options: ModulesOptions): Promise<ConfinedModules | undefined> {
  const { confinement, protectedPaths, seesWorkspace } = options
  const process = new FolderProcess(options)
  if (!(await process.start())) return undefined
  return {
    async load(path) {
      try {
        const described = await process.load(path, loadMs)
        return isObject(described) ? toExports(path, described as DescribedModule) : String(described)
      } catch (cause) {
        const advice = confinement.explain(0, toWords(cause))
        return advice === undefined ? toWords(cause) : `${toWords(cause)}. ${advice}`
      }
    },
    toServed(tool) {
      const refused = (tool.needs ?? []).flatMap((need) => toRefusal(need, seesWorkspace) ?? [])
      if (refused.length > 0) return refused[0]!
      const own = tool.needs?.filter((need) => !isCommon(need))
      return own ? Object.freeze({ ...tool, needs: [openingName, ...own] }) : tool
    },
    toOpen: (module) => async (context: ToolsetContext) => {
      const { settings, workspace, keepEnvironment, notes, changed } = context
      const given = { settings, workspace, keepEnvironment: [...keepEnvironment], protectedPaths: [...protectedPaths()] } // biome-ignore format: one line
      const { id, names } = await process.open({ request: { module, context: given }, context: { notes, changed } })
      const own = names.filter((name) => !['files', 'search', 'settings'].includes(name))
      return { ...Object.fromEntries(own.map((name) => [name, true])), [openingName]: id }
    },
    close: () => process.close(),
  }

  function toExports(module: string, described: DescribedModule): Exports {
    const entries = Object.entries(described).map(([name, one]) => {
      if ('parameters' in one) return [name, name in shapes ? toFunction({ module, name }, one.parameters) : () => {}]
      if (!('functions' in one)) return [name, one.value]
      const completers = one.functions.map((argument) => [argument, toFunction({ module, name, argument }, 2)])
      return [name, Object.fromEntries(completers)]
    })
    return Object.fromEntries(entries)
  }

  function toFunction(target: Pick<CallRequest, 'module' | 'name' | 'argument'>, parameters: number) {
    const shape = shapes[target.name]!
    const run = async (...given: unknown[]) => {
      const at = (kind: string) => given[shape.indexOf(kind as never)] as unknown
      const context = at('context') as ToolContext | undefined
      const signal = context?.signal ?? (at('signal') as AbortSignal | undefined)
      const opening = Object(at('capabilities'))[openingName] as number | undefined
      const request: CallRequest = {
        ...target,
        values: given.filter((_, index) => shape[index] === 'value').map((value) => (value ?? null) as JsonValue),
        ...(context && { context: toCallContext(context) }),
        ...(opening !== undefined && { opening }),
      }
      const begun = Date.now()
      try {
        const value = await process.call(request, { signal, context })
        return target.name === 'read' ? decodeBytes(value) : value
      } catch (cause) {
        throw signal?.aborted ? cause : explain(cause, confinement, begun)
      }
    }
    // It tells how many parameters its author wrote.
    return Object.defineProperty(run, 'length', { value: parameters })
  }
}

function toCallContext({ callId, caller, trace, idempotencyKey }: ToolContext): NonNullable<CallRequest['context']> {
  return {
    callId,
    caller,
    ...(trace && { trace: trace as unknown as JsonObject }),
    ...(idempotencyKey !== undefined && { idempotencyKey }),
  }
}

/** A failure that the sandbox caused says so to the caller. */
function explain(cause: unknown, confinement: Confinement, begun: number): unknown {
  if (!(cause instanceof Error)) return cause
  const advice = confinement.explain(begun, cause.message)
  if (cause instanceof ToolError) {
    const { code, message, suggestion, retryAfterMs, problems } = cause
    return advice === undefined ? cause : new ToolError(code, message, { advice, cause, ...(suggestion !== undefined && { suggestion }), ...(retryAfterMs !== undefined && { retryAfterMs }), ...(problems && { problems }) }) // biome-ignore format: one line
  }
  const ended = cause instanceof FolderProcessEnded ? 'Its process ended before it answered, and is started again by the next call.' : undefined // biome-ignore format: one line
  if (advice === undefined) return ended === undefined ? cause : withFault(cause, { message: ended })
  const [message = advice, suggestion] = advice.split(/ (?=Do not repeat the call)/)
  return withFault(cause, { message, ...(suggestion !== undefined && { suggestion }) })
}

/** Why a confined folder does not get a capability, and what its handlers can do. */
function toRefusal(need: string, seesWorkspace: () => boolean): string | undefined {
  if (need === 'files' || need === 'search')
    return seesWorkspace() ? undefined : `It needs '${need}', and its folder is confined without access to the workspace. Add the workspace to "read" or "write" of the folder's entry under "contracts"` // biome-ignore format: one line
  const instead = alternatives[need]
  return instead && `It needs '${need}', which a confined folder does not get. ${instead}`
}

const alternatives: { readonly [need: string]: string } = {
  process: 'Use node:child_process: what it starts is confined with the folder',
  web: 'Use fetch: it reaches the hosts under "network" of the folder\'s entry',
  model: 'Leave the folder unconfined, or call the model with fetch and a key from "env" of the folder\'s entry',
}
