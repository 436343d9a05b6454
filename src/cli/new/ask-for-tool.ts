import type { Tty } from '../terminal/prompt/open-tty.ts'
import { paint } from '../terminal/terminal.ts'
import { type Field, readFields, risks, usualReturns, type WantedTool } from './wanted-tool.ts'

/** The parts of a tool given so far. */
export type PartOfTool = Partial<WantedTool>

interface AskOptions {
  readonly tty: Tty
  readonly signal: AbortSignal
  /** Throws if a name or description is invalid. */
  readonly check: (part: PartOfTool) => void
}

/** Asks for missing parts. Undefined if input ended. */
export async function askForTool(
  given: PartOfTool,
  options: AskOptions,
): Promise<Pick<WantedTool, 'name' | 'description' | 'risk' | 'params' | 'returns'> | undefined> {
  const { check } = options
  const name = given.name ?? (await ask('Name, such as read_note: ', (name) => check({ name }), options))
  if (name === undefined) return undefined
  const description =
    given.description ?? (await ask('What does it do? A sentence: ', (description) => check({ description }), options))
  if (description === undefined) return undefined
  const risk = given.risk ?? (await askRisk(options))
  if (risk === undefined) return undefined
  const params = given.params ?? (await askFields('param', 'Parameters', options))
  if (params === undefined) return undefined
  const returns = given.returns ?? (await askFields('returns', 'What it returns', options))
  if (returns === undefined) return undefined
  return { name, description, risk, params, returns: returns.length > 0 ? returns : usualReturns }
}

const maxTries = 20

/** Asks until the answer is valid. */
export async function ask(
  question: string,
  check: (answer: string) => void,
  { tty, signal }: Pick<AskOptions, 'tty' | 'signal'>,
): Promise<string | undefined> {
  for (let tries = 0; tries < maxTries; tries++) {
    const typed = await tty.ask(paint('bold', question), signal)
    if (typed === undefined) return undefined
    try {
      check(typed.trim())
      return typed.trim()
    } catch (cause) {
      const { message, suggestion } = cause as Error & { suggestion?: string }
      tty.print([[message, suggestion].filter(Boolean).join(' ')])
    }
  }
  return undefined
}

async function askRisk(options: AskOptions): Promise<WantedTool['risk'] | undefined> {
  const find = (typed: string) => risks.find((risk) => risk.startsWith(typed.toLowerCase()))
  const typed = await ask(
    `Risk (${risks.join('/')}, Enter for read_only): `,
    (typed) => {
      if (!find(typed)) throw new Error('Type one of the three, or the beginning of one.')
    },
    options,
  )
  return typed === undefined ? undefined : find(typed)
}

async function askFields(option: 'param' | 'returns', heading: string, options: AskOptions) {
  options.tty.print([`${heading}, one to a line, such as 'limit:integer? How many'. An empty line ends them.`])
  const words: string[] = []
  for (;;) {
    const typed = await ask('  name:type meaning: ', (typed) => void readFields(typed ? [...words, typed] : [], option), options) // biome-ignore format: one line
    if (typed === undefined) return undefined
    if (typed === '') return readFields(words, option) satisfies Field[]
    words.push(typed)
  }
}
