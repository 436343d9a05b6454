import type { Toolpact } from '../../app/app.ts'
import { printable, printableJson } from '../../contract/text/printable.ts'
import { shorten } from '../../contract/text/shorten.ts'
import { type Request, UsageError } from '../options/command.ts'
import { toColumns } from '../terminal/columns.ts'
import { exitCodes } from '../terminal/exit-codes.ts'
import { paint } from '../terminal/terminal.ts'
import { findRuleDraft } from './add.ts'
import { findRule } from './find-rule.ts'
import { paintAction } from './list.ts'

const maxLast = 5000

/** Shows which past calls would be decided differently with another rule, or without some. Nothing is saved. */
export async function simulate(toolpact: Toolpact, request: Request, words: readonly string[]): Promise<number> {
  const { options, terminal } = request
  const { last, remove = [] } = options
  if (words.length === 0 && remove.length === 0)
    throw new UsageError('rules simulate needs a tool and a pattern, or --remove ID.', 'See toolpact rules --help.')
  const known = remove.length === 0 ? [] : (await toolpact.rules.list()).map(({ rule }) => rule)
  const change = {
    add: words.length === 0 ? [] : [await findRuleDraft(toolpact, options, words)],
    remove: remove.map((id) => findRule(known, id).id),
    ...(last !== undefined && { last: toLast(last) }),
  }
  const { calls, skipped, changed } = await toolpact.rules.simulate(change)
  if (options.json) {
    const rows = changed.map(({ call: { callId, at, tool }, before, after }) => ({ callId, at, tool, before: before.action, after: after.action, rule: after.rule })) // biome-ignore format: one line
    terminal.print(printableJson({ calls, skipped, changed: rows }))
    return exitCodes.success
  }
  terminal.print(
    ...toColumns(
      changed.map(({ call, before, after }) => [
        call.callId.slice(0, 8),
        call.tool,
        paintAction(before.action),
        '→',
        paintAction(after.action),
        paint('dim', shorten(printable(JSON.stringify(call.input)), 80)),
      ]),
      { width: terminal.columns },
    ),
    `${changed.length} of ${calls} ${calls === 1 ? 'call' : 'calls'} would be decided differently.${toSkipped(skipped)}`,
  )
  return exitCodes.success
}

function toSkipped(skipped: number): string {
  if (skipped === 0) return ''
  return ` ${skipped} more cannot be tried, because secrets were removed from their input or their tool is gone.`
}

function toLast(given: string): number {
  const last = Number(given)
  if (Number.isInteger(last) && last > 0 && last <= maxLast) return last
  throw new UsageError(`--last cannot be '${given}'.`, `Use a number from 1 to ${maxLast}.`)
}
