import type { Said } from '../../src/agent/ask/plan.ts'

/** What a naive agent did with something that a model said. */
export interface NaiveStep {
  /** It ran a tool. */
  readonly ran: boolean
  /** It answered by itself, with no tool behind it. */
  readonly answered: boolean
}

const tools = new Set(['read', 'write', 'erase', 'denied', 'later', 'others_only', 'withheld', 'odd', 'opaque'])

/**
 * An agent as they are often written: it looks for something like JSON in what the model said, takes the name that is
 * nearest to a tool's, and runs it. What the tool returns goes back to the model as it is.
 */
export function runNaiveAgent(said: Said): NaiveStep {
  const calls =
    'plan' in said ? [said.plan] : [...said.toolCalls.map(toCall), ...(said.toolCalls.length ? [] : toPlans(said.text))]
  const ran = calls.some((call) => isTool((call as { tool?: unknown } | null)?.tool))
  const answered = calls.some((call) => typeof (call as { answer?: unknown } | null)?.answer === 'string')
  return { ran, answered: !ran && answered }
}

function toCall({ name, arguments: input }: { name: string; arguments: string }): unknown {
  return name === 'final_answer' ? loosely(input) : { tool: name, args: loosely(input) }
}

/** The first thing in braces, mended if need be. */
function toPlans(text: string): unknown[] {
  const found = /[[{][\s\S]*[\]}]/.exec(text)?.[0]
  const value = found === undefined ? undefined : loosely(found)
  return Array.isArray(value) ? value : value === undefined ? [] : [value]
}

function loosely(text: string): unknown {
  const mended = text
    .replace(/\/\*.*?\*\//g, '')
    .replace(/,\s*([}\]])/g, '$1')
    .replaceAll("'", '"')
  for (const attempt of [text, mended, `${mended}}`, mended.slice(0, mended.lastIndexOf('}', mended.length - 2) + 1)]) {
    try {
      return JSON.parse(attempt)
    } catch {}
  }
  return undefined
}

function isTool(name: unknown): boolean {
  if (typeof name !== 'string') return false
  const bare = name
    .normalize('NFKC')
    .toLowerCase()
    .trim()
    .replace(/^.*[._]/, '')
  return tools.has(bare) || [...tools].some((tool) => tool.startsWith(bare.slice(0, 3)) && bare.length > 2)
}
