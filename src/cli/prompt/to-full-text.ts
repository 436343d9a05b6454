import type { ApprovalDetails } from '../../pipeline/approver.ts'
import { paint } from '../terminal.ts'
import { reveal } from './reveal.ts'
import { type Row, toTextRows } from './rows.ts'
import { toSize } from './show-value.ts'
import { toChangeRows, toFacts, toName } from './to-summary.ts'

/** Everything about a call, nothing left out. */
export function toFullText(details: ApprovalDetails, columns: number): Row[] {
  const width = columns - 1
  return [
    ...toName(details, width),
    ...Object.entries(details.input).flatMap(([key, value]): Row[] => {
      const text = typeof value === 'string' ? value : JSON.stringify(value, null, 2)
      return [
        [paint('bold', 'Parameter '), ...reveal(key, 8).parts, paint('dim', ` ${toSize(text)}`)],
        ...toTextRows(text, width),
      ]
    }),
    ...toFacts(details, width, Infinity),
    ...toChangeRows(details, width),
  ]
}
