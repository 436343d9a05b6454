import type { Change } from '../../contract/diff/change.ts'
import type { Lock } from '../../host/lock/lock.ts'
import { type LockReview, type ServerReview, toLockLines } from '../lock/report.ts'
import type { Request } from '../options/command.ts'

/** Changes of the running servers since they were accepted, with the digests that accept them. */
export async function diffRunning(lock: Lock, { open, options, terminal }: Request) {
  // --toolset selects servers here, which is done below.
  const toolpact = await open({ storage: 'memory' })
  try {
    return compare(await toolpact.lock.review(lock), { names: options.toolset, width: terminal.columns })
  } finally {
    await toolpact.close()
  }
}

interface CompareOptions {
  /** Only these servers. */
  readonly names: readonly string[] | undefined
  readonly width: number | undefined
}

function compare(review: LockReview, { names, width }: CompareOptions) {
  const servers = review.servers.filter(({ name }) => names?.includes(name) ?? true)
  return {
    changes: servers.flatMap(toChanges),
    lines: toLockLines({ ...review, servers }, width),
    digests: Object.fromEntries(servers.flatMap(toDigests)),
  }
}

function toChanges({ name, state, fault, identity, tools }: ServerReview): Change[] {
  const whole = { pointer: '', category: 'wire' } as const
  if (state === 'unreachable')
    return [{ tool: name, ...whole, breaking: true, message: `The server cannot be compared: ${fault}` }]
  if (state === 'left') return [{ tool: name, ...whole, breaking: true, message: 'The server was removed from the config.' }] // biome-ignore format: one line
  return [
    ...identity.map(({ weight: _, ...finding }) => ({ tool: name, ...finding })),
    ...tools.flatMap((tool): readonly Change[] => {
      const id = `${name}.${tool.name}`
      if (tool.state === 'new') return [{ tool: id, ...whole, breaking: false, message: 'The tool was added.' }]
      if (tool.state === 'gone') return [{ tool: id, ...whole, breaking: true, message: 'The tool was removed.' }]
      return tool.changes
    }),
  ]
}

function toDigests({ name, digest, tools }: ServerReview): [target: string, digest: string][] {
  return [
    ...(digest === undefined ? [] : [[name, digest] as [string, string]]),
    ...tools.flatMap((tool): [string, string][] => (tool.digest === undefined ? [] : [[`${name}.${tool.name}`, tool.digest]])), // biome-ignore format: one line
  ]
}
