import type { Summary, SummaryAccount, SummaryBullet } from '../../agent/ask/summarize.ts'
import { reasons } from '../../agent/grounding/reasons.ts'
import type { JsonObject } from '../../contract/json.ts'
import { printable } from '../../contract/text/printable.ts'
import { type Line, paint } from '../terminal/terminal.ts'

/** A summary as text: claims with their quotes and locations, then dropped claims and missing parts. */
export function toSummaryLines(summary: Summary): Line[] {
  const account = toAccountLines(summary)
  if ('none' in summary) return [[paint('yellow', 'No summary:'), ` ${printable(summary.reason)}`], ...account]
  return [paint('bold', 'Summary'), ...summary.bullets.flatMap(toBulletLines), ...account]
}

function toBulletLines({ claim, evidence, pointer, start, end, inValue }: SummaryBullet): Line[] {
  const place = inValue
    ? `${pointer} ${inValue.start}–${inValue.end}`
    : `${pointer} (with its name, ${start}–${end} of the text)`
  return [
    ['  • ', printable(claim)],
    paint('cyan', `    “${printable(evidence.replace(/\s+/gu, ' '))}”`),
    paint('dim', `    ${printable(place.trim())}`),
  ]
}

function toAccountLines({ dropped, droppedCount, chunks, unusable }: SummaryAccount): Line[] {
  const lines: Line[] = []
  if (droppedCount > 0) {
    const noun = droppedCount === 1 ? '1 claim was' : `${droppedCount} claims were`
    lines.push(paint('yellow', `  ${noun} dropped, not grounded in the output:`))
    const counts = new Map<string, number>()
    for (const { reason } of dropped) counts.set(reasons[reason], (counts.get(reasons[reason]) ?? 0) + 1)
    lines.push(...[...counts].map(([reason, count]) => paint('dim', `    ${count} × ${reason}`)))
    if (droppedCount > dropped.length)
      lines.push(paint('dim', `    ${droppedCount - dropped.length} × more, not listed`))
  }
  if (unusable.length > 0 && chunks > 1) {
    lines.push(paint('yellow', `  ${unusable.length} of ${chunks} parts of the output are not in the summary:`))
    lines.push(
      ...unusable
        .slice(0, maxParts)
        .map((part) => paint('dim', `    ${part.start}–${part.end}: ${printable(part.reason)}`)),
    )
    if (unusable.length > maxParts) lines.push(paint('dim', `    and ${unusable.length - maxParts} more`))
  }
  return lines
}

const maxParts = 5

/** A summary as JSON. Offsets are in UTF-16 units: `start` in the source text, `value_start` in the field. */
export function toSummaryJson(summary: Summary): JsonObject {
  const { dropped, droppedCount, chunks, unusable } = summary
  return {
    ...('none' in summary
      ? { none: true, reason: summary.reason }
      : { type: 'summary', bullets: summary.bullets.map(toBulletJson) }),
    dropped: dropped.map(({ claim, evidence, reason, about }) => ({
      claim,
      evidence,
      reason,
      ...(about !== undefined && { about }),
    })),
    dropped_count: droppedCount,
    chunks,
    unusable: unusable.map(({ start, end, reason }) => ({ start, end, reason })),
  }
}

function toBulletJson({ claim, evidence, pointer, start, end, inValue }: SummaryBullet): JsonObject {
  const value = inValue && { value_start: inValue.start, value_end: inValue.end }
  return { claim, evidence, pointer, start, end, ...value }
}
