import type { Toolpact } from '../../app/app.ts'
import type { JsonObject } from '../../contract/json.ts'
import { parseJson } from '../../contract/schema/parse-json.ts'
import { printable, printableJson } from '../../contract/text/printable.ts'
import { readTime } from '../../contract/text/read-time.ts'
import { describePast } from '../../runtime/rules/simulate-rules.ts'
import { type Options, type Request, UsageError } from '../options/command.ts'
import { findTool } from '../options/find-tool.ts'
import { exitCodes } from '../terminal/exit-codes.ts'
import { paint } from '../terminal/terminal.ts'
import { readUserName } from '../terminal/user-name.ts'
import { paintAction, toPatternLines, toScope, toWho } from './list.ts'

type Draft = Parameters<Toolpact['rules']['add']>[0]

/** Adds a rule unless it is ineffective or too broad; a wide rule needs confirmation. */
export async function addRule(toolpact: Toolpact, { options, terminal }: Request, words: readonly string[]) {
  const draft = await findRuleDraft(toolpact, options, words)
  const { problems, wide, past } = await toolpact.rules.preview(draft)
  if (problems.length > 0) {
    if (options.json) terminal.print(printableJson({ added: false, problems: problems.map(({ code, message }) => ({ code, message })) })) // biome-ignore format: one line
    else terminal.log([paint('red', 'Error:'), ' The rule was not added.'], ...problems.map(({ message }) => `  ${printable(message)}`)) // biome-ignore format: one line
    return exitCodes.usage
  }
  if (wide.length > 0 && !options.yes && !(await isMeant(wide, terminal))) return exitCodes.refused
  const rule = await toolpact.rules.add(draft)
  if (options.json) terminal.print(printableJson(rule))
  else
    terminal.print(
      [
        paint('green', '✓ '),
        `Added ${rule.id}: `,
        paintAction(rule.action),
        ` ${rule.tool} ${[toScope(rule), ...toWho(rule)].join(', ')}`,
      ],
      ...toPatternLines(rule),
      ...(rule.pattern === draft.pattern || rule.short !== undefined
        ? []
        : ['  Each \\\\ of the pattern was read as \\. For a backslash write [\\\\].']),
      ...(past ? [`  ${printable(describePast(past, rule))}`] : []),
      paint('dim', `  To remove it: toolpact rules remove ${rule.id}`),
    )
  return exitCodes.success
}

/** The rule that the words and options describe. */
export async function findRuleDraft(toolpact: Toolpact, options: Options, words: readonly string[]): Promise<Draft> {
  const [name, pattern, ...more] = words
  if (name === undefined || pattern === undefined)
    throw new UsageError('A rule needs a tool and a pattern.', 'Put the pattern in single quotes.')
  if (more.length > 0)
    throw new UsageError(`A rule has one pattern, but there is also '${more[0]}'.`, 'Put the pattern in single quotes.')
  const { id } = await findTool(toolpact, name)
  return toDraft(id, pattern, options)
}

async function isMeant(wide: readonly string[], terminal: Request['terminal']): Promise<boolean> {
  terminal.log([paint('yellow', 'This is a wide rule:'), ` ${wide.map(printable).join(' ')}`])
  const { openTty } = await import('../terminal/prompt/open-tty.ts')
  const tty = openTty()
  const answer = await tty?.ask('Add it? (y/N) ', terminal.signal).finally(tty.close)
  if (/^\s*y(?:es)?\s*$/i.test(answer ?? '')) return true
  terminal.log(tty ? 'Not added.' : 'Not added. Make it narrower, or add --yes if that is what you want.')
  return false
}

function toDraft(tool: string, pattern: string, options: Options): Draft {
  const { session, expires, description, who } = options
  const action = toChoice('action', options.action, ['allow', 'ask', 'deny'])
  const scope = toChoice('scope', options.scope, ['workspace', 'everywhere', 'session'])
  if ((scope === 'session') !== (session !== undefined))
    throw new UsageError('--scope session and --session ID go together.', 'A rule for this folder needs neither.')
  const match = (options.match ?? []).map((text) => toExample('match', text))
  const mustNotMatch = (options['no-match'] ?? []).map((text) => toExample('no-match', text))
  return {
    tool,
    pattern,
    createdBy: readUserName(),
    ...(action && { action }),
    ...(scope && { scope }),
    ...(session !== undefined && { session }),
    ...(who && { who }),
    ...(expires !== undefined && { expiresAt: toExpiry(expires, new Date()).toISOString() }),
    ...(description !== undefined && { description }),
    ...(match.length + mustNotMatch.length > 0 && { examples: { match, mustNotMatch } }),
  }
}

function toChoice<Choice extends string>(name: string, given: string | undefined, choices: readonly Choice[]) {
  const chosen = choices.find((choice) => choice === given)
  if (given !== undefined && chosen === undefined)
    throw new UsageError(`--${name} cannot be '${given}'.`, `Use ${choices.join(', ')}.`)
  return chosen
}

function toExample(option: string, text: string): JsonObject {
  const parsed = parseJson(text, { maxBytes: 1_048_576, maxDepth: 64 })
  if (!parsed.ok) throw new UsageError(`The JSON after --${option} is not valid. ${parsed.message}`)
  if (typeof parsed.value !== 'object' || parsed.value === null || Array.isArray(parsed.value))
    throw new UsageError(`--${option} needs a whole input as an object, but got ${text}.`)
  return parsed.value
}

/** Parses a future time: in `30m`, `2h` or `7d`, or an ISO date. */
export function toExpiry(text: string, now: Date): Date {
  const date = readTime(text, 'after', now)
  if (date === undefined)
    throw new UsageError(`--expires cannot be '${text}'.`, 'Use 30m, 2h, 7d, or a date such as 2026-12-31T18:00.')
  if (date <= now) throw new UsageError(`--expires ${text} is not in the future.`, 'Choose a later time.')
  return date
}
