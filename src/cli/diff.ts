import type { Change } from '../contract/diff/change.ts'
import { diffContractSets } from '../contract/diff/diff-contracts.ts'
import { printable, printableJson } from '../contract/printable.ts'
import { type Command, UsageError } from './command.ts'
import { exitCodes } from './exit-codes.ts'
import { current, readContracts } from './read-contracts.ts'
import { type Line, paint, type Terminal } from './terminal.ts'

export const diff: Command = {
  usage: ['diff OLD [NEW]'],
  about: `Tells what changed from one set of contracts to another, and what of it breaks callers or loosens policy.
OLD and NEW are each a file (as toolpact export contracts writes it, or a toolpact.lock), a folder of contracts, a
revision of git, or . for the contracts as they are now, which NEW is if it is left out.
Exit code 1 if anything breaks, else 0.`,
  options: {},
  examples: [
    ['toolpact diff contracts.json', 'since that file was written'],
    ['toolpact diff main', 'since the branch main, by the file that toolpact.json lists as contracts'],
    ['toolpact diff git:v1.2.0:contracts.json git:HEAD:contracts.json', 'between two revisions'],
    ['toolpact diff old.json new.json --json', 'for a script'],
  ],
  async run(request) {
    const { positionals, options, terminal } = request
    const [old, next = current, ...more] = positionals
    if (old === undefined) throw new UsageError('diff needs something to compare with.', 'Name a file or a revision.')
    if (more.length > 0) throw new UsageError(`diff compares two sets of contracts, and got '${more[0]}' too.`)
    const changes = diffContractSets(await readContracts(old, request), await readContracts(next, request))
    const breaking = changes.filter((change) => change.breaking).length
    if (options.json) terminal.print(printableJson({ breaking: breaking > 0, changes }))
    else printChanges(changes, terminal)
    return breaking > 0 ? exitCodes.failed : exitCodes.success
  },
}

function printChanges(changes: readonly Change[], terminal: Terminal): void {
  terminal.print(
    ...changes.flatMap((change, index): Line[] => {
      const isFirst = change.tool !== changes[index - 1]?.tool
      return [...(isFirst ? [paint('bold', printable(change.tool))] : []), ...toLines(change)]
    }),
    ...(changes.length > 0 ? [''] : []),
    toSummary(changes),
  )
}

function toLines({ category, breaking, pointer, message }: Change): Line[] {
  const mark = breaking ? paint('red', 'breaking') : paint('dim', 'ok      ')
  const place = pointer === '' ? '' : `  ${printable(pointer)}`
  return [['  ', mark, `  ${category.padEnd(6)}`, paint('cyan', place)], `            ${printable(message)}`]
}

function toSummary(changes: readonly Change[]): Line {
  if (changes.length === 0) return 'No change.'
  const breaking = changes.filter((change) => change.breaking)
  const count = `${changes.length} ${changes.length === 1 ? 'change' : 'changes'}`
  if (breaking.length === 0) return `${count}, none breaking.`
  const isPolicy = breaking.some(({ category }) => category === 'policy')
  return paint('red', `${count}, ${breaking.length} breaking.${isPolicy ? ' What loosens policy needs a review.' : ''}`)
}
