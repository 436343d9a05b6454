import { UsageError } from '../options/command.ts'

/** A rule by the beginning of its id. */
export function findRule<Rule extends { readonly id: string }>(rules: readonly Rule[], start: string): Rule {
  const exact = rules.find(({ id }) => id === start)
  const found = exact ? [exact] : rules.filter(({ id }) => id.startsWith(start) || id.startsWith(`rule-${start}`))
  if (!found[0] || start === '')
    throw new UsageError(`There is no rule '${start}'.`, 'Run `toolpact rules` to see them.')
  if (found.length > 1)
    throw new UsageError(`Several rules have an id that starts with '${start}'.`, 'Use a longer prefix.')
  return found[0]
}
