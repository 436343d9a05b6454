import type { CallResult } from '../contract/call-result.ts'
import type { ApprovalAnswer, ApprovalRequest, Approver } from '../pipeline/approver.ts'
import { printable } from './printable.ts'
import { type Line, paint, type Terminal } from './terminal.ts'

export interface TerminalApprover {
  readonly ask: Approver
  /** Tells of `--yes` where a call was refused only because nobody could be asked. */
  explain(result: CallResult): CallResult
}

/** Asks the person at the terminal. With `yes` they have answered beforehand; without a terminal the answer is no. */
export function createTerminalApprover(terminal: Terminal, { yes }: { yes: boolean }): TerminalApprover {
  let nobody = false
  return {
    async ask(request, signal) {
      if (yes) return { answer: 'yes', by: '--yes' }
      if (terminal.interactive) return ask(request, terminal, signal)
      nobody = true
      return { answer: 'no', by: 'nobody, without a terminal or --yes' }
    },
    explain(result) {
      if (!nobody || result.success || result.error.code !== 'approval_denied') return result
      const suggestion = 'Call it from a terminal to be asked, or add --yes to approve it.'
      return { ...result, error: { ...result.error, suggestion } }
    },
  }
}

async function ask(request: ApprovalRequest, terminal: Terminal, signal: AbortSignal): Promise<ApprovalAnswer> {
  const { createInterface } = await import('node:readline/promises')
  terminal.tell(...toQuestion(request))
  // Not a readline terminal: Ctrl-C stays a signal, and ends the call.
  const lines = createInterface({ input: process.stdin, output: process.stderr, terminal: false })
  const ended = new Promise<string>((resolve) => lines.once('close', () => resolve('')))
  try {
    const answer = await Promise.race([lines.question('Approve? (y/N) ', { signal }).catch(() => ''), ended])
    return { answer: /^\s*y(?:es)?\s*$/i.test(answer) ? 'yes' : 'no', by: 'terminal' }
  } finally {
    lines.close()
  }
}

const longestValue = 500

function toQuestion({ binding, contract, input, effects, reason }: ApprovalRequest): Line[] {
  const touched = Object.entries(effects).filter(([, values]) => values.length > 0)
  return [
    '',
    [paint('bold', 'Tool: '), binding.tool],
    paint('bold', 'Parameters:'),
    ...Object.entries(input).map(([key, value]) => `  ${printable(key)}: ${shorten(toText(value))}`),
    ...touched.map(([kind, values]): Line => [paint('bold', `${names[kind] ?? kind}: `), shorten(values.join(', '))]),
    [paint('bold', 'Risk: '), paint(contract.risk === 'dangerous' ? 'red' : 'yellow', contract.risk)],
    [paint('bold', 'Why this is asked: '), printable(reason)],
  ]
}

const names: { readonly [kind: string]: string } = {
  reads: 'Reads',
  writes: 'Writes',
  fetches: 'Fetches',
  runs: 'Runs',
}

function toText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** What is cut off is told: a person must not approve what they cannot see without knowing it. */
function shorten(text: string): string {
  if (text.length <= longestValue) return printable(text)
  return `${printable(text.slice(0, longestValue))}… (${text.length - longestValue} characters more)`
}
