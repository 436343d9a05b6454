import type { Toolpact } from '../../app/app.ts'
import { canonicalJson } from '../../contract/canonical-json.ts'
import type { Contract } from '../../contract/contract.ts'
import type { JsonValue } from '../../contract/json.ts'
import { groupPrefix, operator } from '../../contract/principal.ts'
import { printable, printableJson } from '../../contract/text/printable.ts'
import type { Caller } from '../../contract/tool.ts'
import { type Request, UsageError } from '../options/command.ts'
import { findTool } from '../options/find-tool.ts'
import { toInput } from '../options/to-input.ts'
import { toColumns } from '../terminal/columns.ts'
import { exitCodes } from '../terminal/exit-codes.ts'
import { toProblemText } from '../terminal/print-result.ts'
import { type Line, paint } from '../terminal/terminal.ts'
import { paintAction } from './list.ts'

type Tested = Awaited<ReturnType<Toolpact['rules']['test']>>
type Decided = Exclude<Tested, { readonly problems: unknown }>

/** Explains what would happen to a call, without calling anything. */
export async function testRules(toolpact: Toolpact, request: Request, words: readonly string[]) {
  const { options, terminal } = request
  const [name, ...pairs] = words
  if (name === undefined)
    throw new UsageError('rules test needs the name of a tool.', 'Run `toolpact list` to see them.')
  if (pairs.length > 0 && options.input !== undefined)
    throw new UsageError('Give the input as key=value or with --input, not both.')
  const { id, contract } = await findTool(toolpact, name)
  const tested = await toolpact.rules.test(id, await readGiven(request, pairs, contract), toCaller(options.who))
  if ('problems' in tested) return printInvalid(tested, request)
  if (options.json) terminal.print(printableJson(toJson(tested)))
  else terminal.print(...toLines(tested, terminal.columns))
  return exitCodes.success
}

/** The caller that the words name, as in a rule. Default: the operator. */
function toCaller(who: readonly string[] = []): Caller {
  const groups = who.filter((name) => name.startsWith(groupPrefix)).map((name) => name.slice(groupPrefix.length))
  const [name = groups.length > 0 ? 'somebody' : operator, other] = who.filter((name) => !name.startsWith(groupPrefix))
  if (other !== undefined) throw new UsageError(`A call has one caller, but --who names '${name}' and '${other}'.`, 'Leave one out.') // biome-ignore format: one line
  return { name, ...(groups.length > 0 && { groups }) }
}

async function readGiven(
  { options, terminal }: Request,
  pairs: readonly string[],
  { input, limits }: Contract,
): Promise<JsonValue> {
  const { readInput } = await import('../options/read-input.ts')
  const bounds = { maxBytes: limits.inputBytes, signal: terminal.signal }
  const read = options.input === undefined ? toInput(pairs, input) : await readInput(options.input, bounds)
  if (read.ok) return read.input
  throw new UsageError([read.error.message, ...(read.error.problems ?? []).map(({ message }) => message)].join(' '))
}

function printInvalid({ tool, problems }: Exclude<Tested, Decided>, { options, terminal }: Request): number {
  if (options.json) terminal.print(printableJson({ tool, action: null, problems }))
  else
    terminal.log(
      [paint('red', 'Error:'), ` The input does not match the contract of '${tool}': the call would be refused.`],
      ...problems.map((problem) => `  ${toProblemText(problem)}`),
    )
  return exitCodes.usage
}

function toJson({ tool, input, decision, findings }: Decided) {
  const rules = findings.map(({ rule: { id, action, pattern }, result, reason }) => ({
    id,
    action,
    pattern,
    result,
    reason,
  }))
  return { tool, input, ...decision, rules }
}

function toLines({ tool, input, decision, findings }: Decided, width: number | undefined): Line[] {
  return [
    [paintAction(decision.action), `  ${tool} ${printable(canonicalJson(input))}`],
    `  ${printable(decision.reason)}`,
    ...(findings.length > 0 ? ['', paint('bold', 'Rules of the tool')] : []),
    ...toColumns(
      findings.map(({ rule, result, reason }) => [
        `  ${rule.id}`,
        paintAction(rule.action),
        result,
        reason,
        paint('dim', rule.pattern),
      ]),
      { width, drop: [4] },
    ),
  ]
}
