import type { AskResult, CalledTool } from '../../agent/ask/ask.ts'
import type { Plan } from '../../agent/ask/plan.ts'
import type { Summary, SummaryAccount, SummaryBullet } from '../../agent/ask/summarize.ts'
import { reasons } from '../../agent/grounding/reasons.ts'
import type { JsonObject } from '../../contract/json.ts'
import { printable, printableJson } from '../../contract/text/printable.ts'
import { shorten } from '../../contract/text/shorten.ts'
import { toResultJson } from '../../projections/result-json.ts'
import { toRows } from '../../runtime/approval/text/rows.ts'
import { exitCodes, toExitCode } from '../terminal/exit-codes.ts'
import { toPlainRows } from '../terminal/markdown.ts'
import { printResult } from '../terminal/print-result.ts'
import { showResult } from '../terminal/show-result.ts'
import { type Line, type Part, paint, type Terminal } from '../terminal/terminal.ts'

interface PrintOptions {
  readonly terminal: Terminal
  readonly json: boolean
  readonly workspace: string
  /** How long the person waited for the call. */
  readonly waitedMs: number
}

/** Prints the outcome of a question and where its trace is. In text mode `printCalled` has already printed the call. */
export function printAsked(asked: AskResult, { terminal, json }: Pick<PrintOptions, 'terminal' | 'json'>): void {
  if (json) terminal.print(printableJson(toAskedJson(asked)))
  else {
    printForPeople(asked, terminal)
    terminal.log(paint('dim', `Trace: toolpact ledger show ${asked.runId.slice(0, 8)}`))
  }
}

/** Prints the result of the call at once, before the summary. */
export function printCalled(called: CalledTool, { terminal, json, workspace, waitedMs }: PrintOptions): void {
  if (json) return
  const { result } = called
  if (result.success && terminal.columns !== undefined) showResult(result, { terminal, workspace, waitedMs })
  else printResult(result, { terminal, json, workspace })
  printRaw(called, terminal)
}

function printForPeople(asked: AskResult, terminal: Terminal): void {
  const width = (terminal.columns ?? Infinity) - 1
  const rows = (heading: Part, text: string) => toRows(heading, [printable(text)], { width, indent: 2 })
  switch (asked.outcome) {
    case 'refused':
      terminal.log(
        ...rows(
          paint('red', asked.by.code.startsWith('plan') ? 'The plan was refused: ' : 'The question was refused: '),
          asked.by.reason,
        ),
        asked.by.code.startsWith('plan')
          ? 'Nothing was called. Rephrase the question, or use another model.'
          : 'The model was not asked. Rephrase the question, or change agent.gate in the config.',
        paint('dim', `Code: ${asked.by.code}${'pattern' in asked.by ? ` (${printable(asked.by.pattern ?? '')})` : ''}`),
      )
      break
    case 'failed':
      terminal.log(
        ...rows(paint('red', 'Error:'), ` ${asked.error.message}`),
        ...rows('', asked.error.suggestion),
        paint('dim', `Code: ${printable(asked.error.code)}`),
      )
      break
    case 'needs_more_info':
      if (terminal.columns === undefined) terminal.print([paint('yellow', 'More is needed: '), asked.answer])
      else terminal.print(paint('yellow', 'More is needed:'), ...toPlainRows(asked.answer, width - 2).map((row) => ['  ', ...row])) // biome-ignore format: one line
      break
    case 'called':
      if (asked.summary) terminal.print(...toSummaryLines(asked.summary, width))
  }
}

/** Output that breaks its contract is marked, and shown to people only. */
function printRaw({ output, raw }: CalledTool, terminal: Terminal): void {
  if (output === 'opaque')
    terminal.log(paint('dim', 'The tool has no output schema, so its output is quoted unchecked.'))
  if (raw === undefined) return
  terminal.log([paint('yellow', 'Raw, unchecked output. No model has seen it:')])
  terminal.print(...raw.split('\n').map((line) => `  | ${line}`))
}

export function printPlan(plan: Plan, terminal: Terminal): void {
  if (plan.type !== 'call_tool') return
  terminal.log(
    paint('dim', `→ ${printable(`${plan.server}.${plan.tool} ${shorten(JSON.stringify(plan.args), maxCharacters)}`)}`),
  )
}

const maxCharacters = 200

function toAskedJson(asked: AskResult): JsonObject {
  const { runId: run, outcome } = asked
  switch (asked.outcome) {
    case 'refused': {
      const { passed, ...refusal } = asked.by
      return { run, outcome, stage: refusal.code.startsWith('plan') ? 'plan' : 'gate', ...refusal }
    }
    case 'failed':
      return { run, outcome, error: asked.error }
    case 'needs_more_info':
      return { run, outcome, answer: asked.answer }
    case 'called': {
      const { plan, result, output, raw, summary } = asked
      return {
        run,
        outcome,
        plan: plan as JsonObject,
        call: result.callId,
        result: toResultJson(result),
        output,
        ...(raw !== undefined && { raw }),
        ...(summary && { summary: toSummaryJson(summary) }),
      }
    }
  }
}

export function toAskedExitCode(asked: AskResult): number {
  switch (asked.outcome) {
    case 'refused':
      return exitCodes.refused
    case 'failed':
      return asked.error.code === 'timeout' ? exitCodes.later : exitCodes.failed
    case 'needs_more_info':
      return exitCodes.usage
    case 'called':
      return toExitCode(asked.result)
  }
}

/** A summary as text: claims with their quotes and locations, then dropped claims and missing parts. */
export function toSummaryLines(summary: Summary, width = Infinity): Line[] {
  const account = toAccountLines(summary)
  if ('none' in summary)
    return [
      ...toRows(paint('yellow', 'No summary:'), [` ${printable(summary.reason)}`], { width, indent: 2 }),
      ...account,
    ]
  return [paint('bold', 'Summary'), ...summary.bullets.flatMap((bullet) => toBulletLines(bullet, width)), ...account]
}

function toBulletLines({ claim, evidence, pointer, start, end, inValue }: SummaryBullet, width: number): Line[] {
  const rows = { width, indent: 4 }
  const place = inValue
    ? `${pointer} ${inValue.start}–${inValue.end}`
    : `${pointer} (with its name, ${start}–${end} of the text)`
  return [
    ...toRows('  • ', [printable(claim)], rows),
    ...toRows('    ', [paint('cyan', `“${printable(evidence.replace(/\s+/gu, ' '))}”`)], rows),
    ...toRows('    ', [paint('dim', printable(place.trim()))], rows),
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
