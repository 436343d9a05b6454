import type { Change } from '../../contract/diff/change.ts'
import { diffContractSets } from '../../contract/diff/diff-contracts.ts'
import { printable, printableJson } from '../../contract/text/printable.ts'
import { type Command, type Request, UsageError } from '../options/command.ts'
import { toChangeLines } from '../terminal/change-lines.ts'
import { exitCodes } from '../terminal/exit-codes.ts'
import { type Line, paint } from '../terminal/terminal.ts'
import { current, readCurrent, readSource, type Source } from './read-contracts.ts'

export const diff: Command = {
  usage: ['diff OLD [NEW]'],
  about: `Shows what changed from one set of contracts to another, and which changes break callers or loosen policy.
OLD and NEW are each a file (from toolpact export contracts, or a toolpact.lock), a folder of contracts, a git
revision, or . for the current contracts, which is the default for NEW. A toolpact.lock is compared with another one, or
with the running MCP servers. Exit code 1 if there is a breaking change.`,
  options: {},
  examples: [
    ['toolpact diff contracts.json', 'since that file was written'],
    ['toolpact diff main', 'since the branch main, by the file that toolpact.json lists as contracts'],
    ['toolpact diff toolpact.lock', 'what changed in the tools of MCP servers since they were accepted'],
  ],
  pages: () => true,
  async run(request) {
    const { positionals, options, terminal } = request
    const [old, next = current, ...more] = positionals
    if (old === undefined) throw new UsageError('diff needs something to compare with.', 'Name a file or a revision.')
    if (more.length > 0) throw new UsageError(`diff compares two sets of contracts, but also got '${more[0]}'.`)
    const { changes, lines, ...extra } = await compare(await readSource(old, request), await readSource(next, request), request) // biome-ignore format: one line
    const breaking = changes.filter((change) => change.breaking).length
    if (options.json) terminal.print(printableJson({ breaking: breaking > 0, changes, ...extra }))
    else terminal.print(...(lines ?? toLines(changes)), ...(changes.length > 0 ? [''] : []), toSummary(changes))
    return breaking > 0 ? exitCodes.failed : exitCodes.success
  },
}

interface Compared {
  readonly changes: readonly Change[]
  /** Printed instead of a line per change. */
  readonly lines?: readonly Line[]
  /** Digests that accept the changes, by server or tool. */
  readonly digests?: { readonly [target: string]: string }
}

async function compare(old: Source, next: Source, request: Request): Promise<Compared> {
  const isLock = (source: Source) => typeof source === 'object' && 'lock' in source
  if (!isLock(old) && !isLock(next))
    return { changes: diffContractSets(await toContracts(old, request), await toContracts(next, request)) }
  if (typeof old === 'object' && 'lock' in old) {
    if (next === 'current') return (await import('./diff-running.ts')).diffRunning(old.lock, request)
    if ('lock' in next)
      return { changes: (await import('../../host/lock/diff-locks.ts')).diffLocks(old.lock, next.lock) }
  }
  throw new UsageError(
    'A toolpact.lock cannot be compared with contracts.',
    'Compare it with another one, or with what servers list now: toolpact diff toolpact.lock.',
  )
}

async function toContracts(source: Source, request: Request) {
  return typeof source === 'object' && 'contracts' in source ? source.contracts : readCurrent(request)
}

function toLines(changes: readonly Change[]): Line[] {
  return changes.flatMap((change, index): Line[] => {
    const isFirst = change.tool !== changes[index - 1]?.tool
    return [...(isFirst ? [paint('bold', printable(change.tool))] : []), ...toChangeLines(change)]
  })
}

function toSummary(changes: readonly Change[]): Line {
  if (changes.length === 0) return 'No change.'
  const breaking = changes.filter((change) => change.breaking)
  const count = `${changes.length} ${changes.length === 1 ? 'change' : 'changes'}`
  if (breaking.length === 0) return `${count}, none breaking.`
  const isPolicy = breaking.some(({ category }) => category === 'policy')
  return paint(
    'red',
    `${count}, ${breaking.length} breaking.${isPolicy ? ' Changes that loosen the policy need a review.' : ''}`,
  )
}
