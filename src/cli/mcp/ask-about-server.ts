import type { JsonObject } from '../../contract/json.ts'
import type { UpstreamStatus } from '../../upstream/upstream.ts'
import type { Tty } from '../prompt/open-tty.ts'
import { paint } from '../terminal.ts'

/** What a person says about the tools of one server, for the config. */
export interface ServerAnswers {
  readonly withoutOutputSchema?: 'opaque' | 'refuse'
  /** Absent: as the hints of the server say. */
  readonly approval?: 'ask' | 'never'
}

interface AskOptions {
  readonly tty: Tty
  readonly signal: AbortSignal
  /** What the config says already is not asked. */
  readonly entry: ServerAnswers | { readonly [key: string]: unknown }
}

const mostTries = 3

/** How many tools are withheld for nothing but that they declare no output. */
export function countUndeclared({ withheld }: UpstreamStatus): number {
  return withheld.filter(({ reasons }) => reasons.every(({ code }) => code === 'no_output_schema')).length
}

/** Asks once about a server. What is not answered is not decided: the safe default holds. */
export async function askAboutServer(status: UpstreamStatus, options: AskOptions): Promise<ServerAnswers> {
  const { entry } = options
  const withoutOutputSchema = 'withoutOutputSchema' in entry ? undefined : await askOutput(status, options)
  const isUsed = status.admitted.length > 0 || withoutOutputSchema === 'opaque'
  const approval = isUsed && !('approval' in entry) ? await askApproval(status, options) : undefined
  return {
    ...(withoutOutputSchema && { withoutOutputSchema }),
    ...(approval && approval !== 'hints' && { approval }),
  }
}

async function askOutput(status: UpstreamStatus, options: AskOptions): Promise<'opaque' | 'refuse' | undefined> {
  const count = countUndeclared(status)
  if (count === 0) return undefined
  const { name, definitions } = status
  return choose(options, {
    lines: [`${count} of ${definitions.length} tools of ${name} declare no output schema.`],
    question: 'Admit them as quoted data (a), or leave them out (l)? (a/L) ',
    answers: { a: 'opaque', admit: 'opaque', l: 'refuse', leave: 'refuse', '': 'refuse' },
  })
}

async function askApproval(
  status: UpstreamStatus,
  options: AskOptions,
): Promise<'hints' | 'ask' | 'never' | undefined> {
  const { name, definitions } = status
  const harmless = definitions.filter(({ annotations }) =>
    isClaimedHarmless(annotations as JsonObject | undefined),
  ).length
  return choose(options, {
    lines: [
      `How are calls of ${name} approved?`,
      `  h  as its hints say: ${harmless} tools claim to change nothing and do not ask, ${definitions.length - harmless} ask`,
      '  a  ask before every call',
      '  n  never ask',
    ],
    question: 'Approve (H/a/n): ',
    answers: { h: 'hints', hints: 'hints', '': 'hints', a: 'ask', ask: 'ask', n: 'never', never: 'never' },
  })
}

function isClaimedHarmless(annotations: JsonObject | undefined): boolean {
  return annotations?.readOnlyHint === true && annotations.destructiveHint !== true
}

interface Choice<Answer extends string> {
  readonly lines: readonly string[]
  readonly question: string
  readonly answers: { readonly [typed: string]: Answer }
}

/** Undefined where the person is gone, or says nothing that is understood. */
async function choose<Answer extends string>(
  { tty, signal }: AskOptions,
  { lines, question, answers }: Choice<Answer>,
): Promise<Answer | undefined> {
  tty.print(['', ...lines])
  for (let tries = 0; tries < mostTries; tries++) {
    const typed = (await tty.ask(paint('bold', question), signal))?.trim().toLowerCase()
    if (typed === undefined) return undefined
    if (Object.hasOwn(answers, typed)) return answers[typed]
    tty.print(['Type one of the letters, then Enter.'])
  }
  return undefined
}
