import type { Toolpact } from '../../app/app.ts'
import { operator } from '../../contract/principal.ts'
import { printable, printableJson } from '../../contract/text/printable.ts'
import { type Request, UsageError } from '../options/command.ts'
import { exitCodes } from '../terminal/exit-codes.ts'
import { type Line, type Part, paint } from '../terminal/terminal.ts'

type Listed = Awaited<ReturnType<Toolpact['rules']['list']>>[number]

/** Lists rules with their state and usage. */
export async function listRules(toolpact: Toolpact, { options, terminal }: Request, words: readonly string[]) {
  if (words[0] !== undefined) throw new UsageError(`rules list takes no name, but got '${words[0]}'.`, 'Use --tool.')
  const all = await toolpact.rules.list()
  const wanted = options.tool === undefined ? undefined : await toToolId(toolpact, options.tool)
  const listed = all.filter(({ rule }) => wanted === undefined || rule.tool === wanted)
  if (options.json) terminal.print(printableJson(listed.map(toJson)))
  else if (listed.length === 0) terminal.log('There are no rules. See `toolpact rules add --help`.')
  else terminal.print(...listed.flatMap(toLines))
  return exitCodes.success
}

/** Keeps unknown names, because a rule may outlive its tool. */
async function toToolId({ catalog }: Toolpact, name: string): Promise<string> {
  const found = await catalog.find(name)
  return found.kind === 'found' || found.kind === 'withheld' ? found.id : name
}

function toJson({ rule, state, problems, uses, lastUsedAt }: Listed) {
  return { ...rule, state, problems: problems.map(({ code, message }) => ({ code, message })), uses, lastUsedAt }
}

function toLines({ rule, state, problems, uses, lastUsedAt }: Listed): Line[] {
  const { id, action, tool, description, createdBy, createdAt, expiresAt } = rule
  const used = uses === 0 ? 'never used' : `used ${uses} ${uses === 1 ? 'time' : 'times'}, last ${toTime(lastUsedAt!)}`
  const facts = [toScope(rule), ...toWho(rule), used, ...(expiresAt ? [`expires ${toTime(expiresAt)}`] : []), `by ${createdBy}, ${toTime(createdAt)}`] // biome-ignore format: one line
  return [
    [paint('bold', id), '  ', paintAction(action), `  ${printable(tool)}`, ...(state === 'active' ? [] : ['  ', paint('red', state)])], // biome-ignore format: one line
    ...toPatternLines(rule),
    ...(description ? [`  ${printable(description)}`] : []),
    paint('dim', `  ${printable(facts.join(' · '))}`),
    ...problems.map(({ message }) => paint('red', `  ${printable(message)}`)),
  ]
}

/** As it was written, and the pattern that decides. */
export function toPatternLines({ short, pattern }: Listed['rule']): Line[] {
  const strict = `  ${printable(pattern)}`
  return short === undefined ? [strict] : [`  ${printable(short)}`, paint('dim', strict)]
}

export function paintAction(action: Listed['rule']['action']): Part {
  return paint(action === 'allow' ? 'green' : action === 'deny' ? 'red' : 'yellow', action)
}

/** Whose calls it is about, if not everybody's. */
export function toWho({ who }: Listed['rule']): string[] {
  return who === undefined
    ? []
    : [`for ${who.map((name) => (name === operator ? `you (${operator})` : name)).join(', ')}`]
}

export function toScope(rule: Listed['rule']): string {
  if (rule.scope === 'session') return `in the session ${rule.session}`
  return rule.scope === 'workspace' ? `in ${rule.workspace}` : 'everywhere'
}

/** Local time, to the minute. */
function toTime(iso: string): string {
  const time = new Date(iso)
  if (Number.isNaN(time.getTime())) return iso
  const local = new Date(time.getTime() - time.getTimezoneOffset() * 60_000)
  return local.toISOString().slice(0, 16).replace('T', ' ')
}
