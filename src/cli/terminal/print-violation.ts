import { inspect } from 'node:util'
import { printable } from '../../contract/text/printable.ts'
import type { Violation } from '../../runtime/pipeline/pipeline-options.ts'
import { toProblemText } from './print-result.ts'
import { paint, type Terminal } from './terminal.ts'

/** Prints how a tool broke its contract. Shown to people with `--debug`, never to models. */
export function printViolation({ kind, message, problems = [], raw }: Violation, terminal: Terminal): void {
  terminal.log(
    [paint('yellow', 'Contract violation:'), ` ${kind}. ${printable(message)}`],
    ...problems.map((problem) => `  ${toProblemText(problem)}`),
    `  Raw: ${inspect(raw, { depth: 8, maxStringLength: 10_000, breakLength: 100 }).replaceAll('\n', '\n  ')}`,
  )
}
