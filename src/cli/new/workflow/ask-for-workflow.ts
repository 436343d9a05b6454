import type { Tty } from '../../terminal/prompt/open-tty.ts'
import { paint } from '../../terminal/terminal.ts'
import { ask } from '../ask-for-tool.ts'
import type { PartOfWorkflow } from './new-workflow.ts'
import type { DraftCall } from './to-document.ts'

interface AskOptions {
  readonly tty: Tty
  readonly signal: AbortSignal
  /** Throws if the name is invalid. */
  readonly checkName: (name: string) => void
  /** Throws if there is no such tool. */
  readonly find: (word: string) => Promise<DraftCall>
  /** The description if none is typed. */
  readonly describe: (calls: readonly DraftCall[]) => string
}

/** Asks for missing parts. Undefined if input ended. */
export async function askForWorkflow(given: PartOfWorkflow, options: AskOptions) {
  const { tty, checkName, describe } = options
  const name = given.name ?? (await ask('Name, such as save_page: ', checkName, options))
  if (name === undefined) return undefined
  const calls = given.calls ?? (await askForTools(options))
  if (calls === undefined) return undefined
  const usual = describe(calls)
  if (given.description === undefined) tty.print([`Without a description: ${usual}`])
  const description = given.description ?? (await ask('What does it do? A sentence, or Enter: ', () => {}, options))
  if (description === undefined) return undefined
  return { name, calls, description: description.trim() || usual }
}

async function askForTools({ tty, signal, find }: AskOptions): Promise<DraftCall[] | undefined> {
  tty.print(['Tools in order, one to a line, as toolpact list prints them. An empty line ends them.'])
  const calls: DraftCall[] = []
  for (;;) {
    const typed = (await tty.ask(paint('bold', `  step ${calls.length + 1}: `), signal))?.trim()
    if (typed === undefined) return undefined
    if (typed === '' && calls.length > 0) return calls
    if (typed === '') tty.print(['A workflow has at least one step.'])
    else {
      try {
        calls.push(await find(typed))
      } catch (cause) {
        const { message, suggestion } = cause as Error & { suggestion?: string }
        tty.print([[message, suggestion].filter(Boolean).join(' ')])
      }
    }
  }
}
