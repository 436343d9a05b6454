import type { Toolpact } from '../../app/app.ts'
import { printable, printableJson } from '../../contract/text/printable.ts'
import { keepPattern, toArchiveOptions } from '../../runtime/storage/ledger-keep.ts'
import { type Request, UsageError } from '../options/command.ts'
import { exitCodes } from '../terminal/exit-codes.ts'

/** Moves the oldest entries into archive files and prints their paths. */
export async function archiveEntries({ ledger, config }: Toolpact, { options, terminal }: Request): Promise<number> {
  const keep = options.keep ?? config.ledger?.keep
  if (keep === undefined)
    throw new UsageError(
      'ledger archive needs to know how much to keep.',
      'Use --keep 90d or --keep 10GB, or set ledger.keep in the config.',
    )
  if (!new RegExp(keepPattern).test(keep))
    throw new UsageError(`--keep needs days or a size, but got '${printable(keep)}'.`, 'Use --keep 90d or --keep 10GB.')
  const segments = await ledger.archive({ ...toArchiveOptions(keep, Date.now()), reclaim: 'all' })
  if (options.json) terminal.print(printableJson({ keep, segments }))
  else if (segments.length === 0) terminal.print('There is nothing to archive.')
  else
    terminal.print(
      ...segments.map(({ first, last, file }) => `Archived entries ${first} to ${last} in ${printable(file)}`),
      'To check an archive: toolpact ledger --verify FILE',
    )
  return exitCodes.success
}
