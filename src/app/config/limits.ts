import type { Limits } from '../../contract/contract.ts'
import type { Toolset } from '../../contract/tool.ts'
import type { ToolsetLoaders } from '../../runtime/pipeline/catalog.ts'
import type { Config } from './config.ts'

type ConfigLimits = NonNullable<Config['limits']>
type SetLimits = { readonly [Name in keyof Limits]?: Limits[Name] | undefined }

interface LimitOptions {
  /** Only lower limits, because the config is not trusted. */
  readonly onlyLower: boolean
}

/** Applies the limits of the config to the contracts, so that every reader of a contract sees them. */
export function withLimits<Capabilities>(
  loaders: ToolsetLoaders<Capabilities>,
  limits: ConfigLimits,
  options: LimitOptions,
): ToolsetLoaders<Capabilities> {
  const entries = Object.entries(loaders).map(([name, load]) => {
    const isLimited = Object.keys(limits).some((key) => key.startsWith(`${name}.`))
    if (!isLimited) return [name, load] as const
    const limited = async () => limitToolset(await load(), limits, options)
    return [name, Object.assign(limited, load.settled && { settled: load.settled })] as const
  })
  return Object.fromEntries(entries)
}

/** The limits of the config that would raise those of a contract, such as `limits.learning.hello.timeoutMs`. */
export async function findRaised(limits: ConfigLimits, known: ToolsetLoaders<never>): Promise<string[]> {
  const found = new Set<string>()
  for (const [name, load] of Object.entries(known)) {
    const keys = Object.keys(limits).filter((key) => key.startsWith(`${name}.`))
    if (keys.length === 0) continue
    for (const { contract } of (await load()).tools) {
      for (const key of [`${name}.*`, `${name}.${contract.name}`]) {
        const raised = Object.entries(limits[key] ?? {}).filter(([limit, value]) => !isLower(limit, value, contract.limits)) // biome-ignore format: one line
        for (const [limit] of raised) found.add(`limits.${key}.${limit}`)
      }
    }
  }
  return [...found]
}

function limitToolset<Capabilities>(
  toolset: Toolset<Capabilities>,
  limits: ConfigLimits,
  options: LimitOptions,
): Toolset<Capabilities> {
  const tools = toolset.tools.map((tool) => {
    const { contract } = tool
    const wanted: SetLimits = { ...limits[`${toolset.name}.*`], ...limits[`${toolset.name}.${contract.name}`] }
    const set = options.onlyLower ? keepLower(wanted, contract.limits) : wanted
    if (Object.keys(set).length === 0) return tool
    const changed = Object.freeze({ ...contract.limits, ...set }) as Limits
    return Object.freeze({ ...tool, contract: Object.freeze({ ...contract, limits: changed }) })
  })
  return Object.freeze({ ...toolset, tools: Object.freeze(tools) })
}

function keepLower(wanted: SetLimits, limits: Limits): SetLimits {
  return Object.fromEntries(Object.entries(wanted).filter(([limit, value]) => isLower(limit, value, limits)))
}

/** A rate is lower with at most as many calls in at least as much time. Without a limit so far, any limit is lower. */
function isLower(limit: string, value: unknown, { calls, ...limits }: Limits): boolean {
  if (limit === 'calls') {
    const { count, windowMs } = value as NonNullable<Limits['calls']>
    return calls === undefined || (count <= calls.count && windowMs >= calls.windowMs)
  }
  return (value as number) <= (limits[limit as keyof typeof limits] ?? Infinity)
}
