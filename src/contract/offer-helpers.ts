import type { Contract, ContractSource } from './contract.ts'
import { buildTool } from './define-tool.ts'
import type { JsonObject, JsonSchema, JsonValue } from './json.ts'
import { type ListedResource, toCompleteName, toListName } from './offer.ts'
import {
  completionInput,
  completionOutput,
  listingOutput,
  toCompletionOutput,
  toListingOutput,
} from './offer-outputs.ts'
import type { Tool, ToolContext } from './tool.ts'

/** Returns the values that complete what was typed, the best first. Clients see at most 100. */
type Completer<Capabilities> = (
  typed: string,
  /** Arguments that are already known. */
  known: { readonly [argument: string]: string },
  capabilities: Capabilities,
  signal: AbortSignal,
) => readonly string[] | Promise<readonly string[]>

/** By the name of the argument or variable. */
export type Completers<Capabilities> = { readonly [argument: string]: Completer<Capabilities> }

/** A page of resources. `cursor` is the `nextCursor` of the page before. */
export type Lister<Capabilities> = (
  cursor: string | undefined,
  context: ToolContext,
  capabilities: Capabilities,
) => ListedPage | Promise<ListedPage>

type ListedPage =
  | readonly ListedResource[]
  | { readonly resources: readonly ListedResource[]; readonly nextCursor?: string }

type Base = Pick<ContractSource, 'name' | 'effects' | 'limits'> & Partial<Pick<Contract, 'risk'>>

/** The call that completes arguments of a prompt or variables of a template. */
export function toCompleter<Capabilities>(
  { name, effects }: Base,
  completers: Completers<Capabilities>,
  needs: readonly string[] = [],
): Tool<Capabilities> {
  return toHelper<Capabilities>(
    {
      name: toCompleteName(name),
      description: `Completes arguments of ${name} while a person types.`,
      input: completionInput,
      output: completionOutput,
      ...toHelperEffects(effects),
    },
    async ({ argument, value, context }, { signal }, capabilities) => {
      const complete = Object.hasOwn(completers, argument as string) ? completers[argument as string] : undefined
      if (!complete) return toCompletionOutput([])
      return toCompletionOutput(
        await complete(value as string, context as Record<string, string>, capabilities, signal),
      )
    },
    needs,
  )
}

/** The call that lists resources of a template. */
export function toLister<Capabilities>(
  { name, effects }: Base,
  list: Lister<Capabilities>,
  needs: readonly string[] = [],
): Tool<Capabilities> {
  const input: JsonSchema = {
    type: 'object',
    properties: { cursor: { type: 'string', description: 'Where to continue', maxLength: 4096 } },
    additionalProperties: false,
  }
  return toHelper<Capabilities>(
    {
      name: toListName(name),
      description: `Lists the resources of ${name}.`,
      input,
      output: listingOutput,
      ...toHelperEffects(effects),
    },
    async ({ cursor }, context, capabilities) => {
      const page = await list(cursor as string | undefined, context, capabilities)
      const { resources, nextCursor } = Array.isArray(page) ? { resources: page } : (page as Exclude<typeof page, readonly unknown[]>) // biome-ignore format: one line
      return toListingOutput(resources as unknown as JsonValue[], nextCursor)
    },
    needs,
  )
}

/** Names are as private as what they name. What the contract reads by its input, the helper has no input for. */
function toHelperEffects(effects: Base['effects']): Pick<ContractSource, 'effects'> {
  return effects?.returns ? { effects: { returns: effects.returns } } : {}
}

/** People wait for these, so they end soon. */
const timeoutMs = 10_000

function toHelper<Capabilities>(
  contract: Pick<ContractSource, 'name' | 'description' | 'input' | 'output' | 'effects'>,
  run: (input: JsonObject, context: ToolContext, capabilities: Capabilities) => Promise<JsonObject>,
  needs: readonly string[],
): Tool<Capabilities> {
  return buildTool<Capabilities>({ ...contract, risk: 'read_only', limits: { timeoutMs } }, run, {
    ...(needs.length > 0 && { needs }),
    offer: { kind: 'helper' },
  })
}
