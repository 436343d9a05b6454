import type { JsonObject } from '../../src/contract/json.ts'

/** The response of a surface. */
export interface Answer {
  readonly output?: JsonObject
  /** The code of the error. */
  readonly code?: string
  /** The whole text. */
  readonly text: string
}

/** A call and its possible outcomes. */
export interface Errand {
  readonly tool: string
  readonly input: (nonce: string) => JsonObject
  /** The only valid output; absent: none is. */
  readonly output?: (nonce: string) => JsonObject
  /** The only valid error codes; absent: none are. */
  readonly codes?: readonly string[]
  /** Relative frequency. */
  readonly weight: number
  /** Some callers cancel it. */
  readonly isLeft?: boolean
}

const text = (nonce: string) => ({ text: nonce })
const said = (nonce: string) => ({ said: nonce })
/** A server that crashed is unavailable for a while. */
const away = ['upstream_unavailable', 'toolset_unavailable']

/** Calls of a built-in tool, and of servers that behave, crash, hang, lie, or never start: see open-servers.ts. */
export const errands: readonly Errand[] = [
  { tool: 'learning.hello', input: (nonce) => ({ name: nonce }), output: (nonce) => ({ greeting: `Hello, ${nonce}!` }), weight: 30 }, // biome-ignore format: one line
  { tool: 'learning.hello', input: () => ({ name: 5 }), codes: ['invalid_input'], weight: 5 },
  { tool: 'learning.nothing', input: text, codes: ['tool_not_found'], weight: 3 },
  { tool: 'good.echo', input: text, output: said, weight: 40 },
  { tool: 'good.echo', input: (nonce) => ({ text: nonce, more: 1 }), codes: ['invalid_input'], weight: 5 },
  { tool: 'good.announce', input: text, output: said, weight: 2 },
  { tool: 'crashes.echo', input: text, output: said, codes: away, weight: 10 },
  { tool: 'crashes.crash', input: text, codes: away, weight: 1 },
  { tool: 'hangs.hang', input: text, codes: ['timeout'], weight: 1, isLeft: true },
  { tool: 'hangs.echo', input: text, output: said, weight: 5 },
  { tool: 'lies.violating', input: text, codes: ['invalid_output'], weight: 5 },
  { tool: 'lies.missing', input: text, codes: ['invalid_output'], weight: 5 },
  { tool: 'lies.poisoned', input: text, output: said, weight: 5 },
  { tool: 'lies.failing_badly', input: text, codes: ['invalid_output'], weight: 5 },
  { tool: 'lies.failing', input: text, codes: ['upstream_error'], weight: 3 },
  { tool: 'lies.scalar', input: text, codes: ['upstream_protocol_error', 'invalid_output'], weight: 3 },
  { tool: 'lies.refused', input: text, codes: ['upstream_protocol_error', 'upstream_error'], weight: 3 },
  { tool: 'noisy.echo', input: text, codes: ['tool_withheld'], weight: 3 },
  { tool: 'never.echo', input: text, codes: away, weight: 2 },
]

/** The problem with a response; undefined if it is valid. */
export function findFault({ output, codes = [] }: Errand, nonce: string, answer: Answer): string | undefined {
  if (answer.text.includes('IGNORE ALL PREVIOUS')) return 'poison came through'
  if (answer.code !== undefined)
    return codes.includes(answer.code) ? undefined : `unexpected ${answer.code}: ${answer.text.slice(0, 300)}`
  if (!answer.output) return `neither output nor error: ${answer.text.slice(0, 300)}`
  if (!output) return `output where there may be none: ${answer.text.slice(0, 300)}`
  const wanted = JSON.stringify(output(nonce))
  return JSON.stringify(answer.output) === wanted ? undefined : `another's answer: ${answer.text.slice(0, 300)}, not ${wanted}` // biome-ignore format: one line
}

/** Picks one by weight. `random` is from 0 to 1. */
export function pickErrand(random = Math.random(), among = errands): Errand {
  let left = random * among.reduce((sum, { weight }) => sum + weight, 0)
  for (const errand of among) {
    left -= errand.weight
    if (left < 0) return errand
  }
  return among[0]!
}
