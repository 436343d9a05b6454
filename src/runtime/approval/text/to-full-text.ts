import { paint } from '../../../contract/text/painted.ts'
import { reveal } from './reveal.ts'
import { type Row, toCount, toTextRows } from './rows.ts'
import { toSize } from './show-value.ts'
import { type Shown, toChangeRows, toFacts, toFiles, toName, toParameters, toParametersHeading, toRisk } from './to-summary.ts' // biome-ignore format: one line

/** Everything about a call: the summary, each parameter in full, then the changes. */
export function toFullText(details: Shown, columns: number): Row[] {
  const width = columns - 1
  const whole = { most: Infinity, hint: undefined }
  const parameters = toParameters(details, width, { rows: Infinity, hint: undefined })
  return [
    ...[...toName(details, width), toParametersHeading(parameters), ...parameters],
    ...[...toFiles(details, width, whole), toRisk(details), ...toFacts(details, width, whole)],
    ...Object.entries(details.input).flatMap(([key, value]): Row[] => {
      const text = typeof value === 'string' ? value : JSON.stringify(value, null, 2)
      const lines = text.replace(/\n$/, '').split('\n').length
      const size = lines > 1 ? `${toSize(text)}, ${toCount(lines, 'line')}` : toSize(text)
      return [[paint('bold', 'Parameter '), ...reveal(key, 8).parts, paint('dim', ` ${size}`)], ...toTextRows(text, width)] // biome-ignore format: one line
    }),
    ...toChangeRows(details, width),
  ]
}
