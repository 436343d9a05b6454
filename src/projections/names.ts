import { hash } from 'node:crypto'

export type Consumer = 'mcp' | 'openai' | 'anthropic' | 'gemini'

interface Form {
  /** Characters that a name may not have. */
  readonly others: RegExp
  /** How a name must begin. */
  readonly first?: RegExp
  readonly longest: number
}

/** What each consumer takes as the name of a tool. */
const forms: { readonly [consumer in Consumer]: Form } = {
  mcp: { others: /[^A-Za-z0-9_.-]/g, longest: 128 },
  openai: { others: /[^A-Za-z0-9_-]/g, longest: 64 },
  anthropic: { others: /[^A-Za-z0-9_-]/g, longest: 128 },
  gemini: { others: /[^A-Za-z0-9_.:-]/g, first: /^[A-Za-z_]/, longest: 128 },
}

/** The names of tools as a consumer takes them, and the way back. */
export interface ConsumerNames {
  /** What the consumer calls the tool that is served under this name. */
  to(name: string): string
  /** The served name that the consumer means, or nothing where it made the name up. */
  from(name: string): string | undefined
}

/**
 * Gives every tool a name that its consumer takes. A name that fits stays; in others `_` stands for what does not fit.
 * Where that is too long or means two tools, the name ends with a digest of what it stands for, so that it is the same
 * whatever the order of the tools.
 *
 * `toConsumerNames(['learning.hello'], 'openai').to('learning.hello')` is `learning_hello`.
 */
export function toConsumerNames(names: Iterable<string>, consumer: Consumer): ConsumerNames {
  const form = forms[consumer]
  const served = [...new Set(names)].sort()
  const to = new Map<string, string>()
  const from = new Map<string, string>()
  const give = (name: string, given: string) => {
    to.set(name, given)
    from.set(given, name)
  }
  const wanted = Map.groupBy(served, (name) => toFitting(name, form))
  for (const name of served) if (isFitting(name, form)) give(name, name)
  for (const [fitting, claimants] of wanted) {
    for (const name of claimants) {
      if (to.has(name)) continue
      const isFree = claimants.length === 1 && fitting.length <= form.longest && !from.has(fitting)
      give(name, isFree ? fitting : toDistinct(name, fitting, { form, from, wanted }))
    }
  }
  return { to: (name) => to.get(name)!, from: (name) => from.get(name) }
}

function isFitting(name: string, form: Form): boolean {
  return name !== '' && name.length <= form.longest && toFitting(name, form) === name
}

function toFitting(name: string, { others, first = /^/ }: Form): string {
  const fitting = name.replace(others, '_')
  return first.test(fitting) && fitting !== '' ? fitting : `_${fitting}`
}

interface Taken {
  readonly form: Form
  readonly from: ReadonlyMap<string, string>
  readonly wanted: ReadonlyMap<string, unknown>
}

function toDistinct(name: string, fitting: string, { form, from, wanted }: Taken): string {
  const digits = hash('sha256', name)
  // Eight digits do, unless somebody looks for a name whose digest begins like that of another.
  for (let count = 8; count < 56; count += 8) {
    const distinct = `${fitting.slice(0, form.longest - count - 1)}_${digits.slice(0, count)}`
    if (!from.has(distinct) && !wanted.has(distinct)) return distinct
  }
  throw new Error(`No name for '${name}' is free. Rename the tool.`)
}
