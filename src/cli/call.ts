import { isatty } from 'node:tty'
import type { Toolpact } from '../app/app.ts'
import type { CallResult } from '../contract/call-result.ts'
import type { Contract } from '../contract/contract.ts'
import { printableLines } from '../contract/text/printable.ts'
import type { Violation } from '../runtime/pipeline/pipeline-options.ts'
import { type Command, commandCaller, type Request, UsageError } from './options/command.ts'
import { toWithheldAdvice } from './options/find-tool.ts'
import { readCallInput } from './options/read-call-input.ts'
import { chooseApprover } from './terminal/choose-approver.ts'
import { toExitCode } from './terminal/exit-codes.ts'
import { printResult, printViolation } from './terminal/print-result.ts'
import type { Status } from './terminal/status.ts'
import { paint } from './terminal/terminal.ts'
import { readUserName } from './terminal/user-name.ts'

export const call: Command = {
  usage: ['call TOOL [key=value …]', 'call TOOL --input JSON | @FILE | -'],
  about: `Calls a tool and prints what it returns. TOOL is toolset.tool, the name that clients list, or the bare name if only one tool has it.
Values are parsed by their type in the contract: strings are taken literally, everything else is JSON. If a parameter accepts
strings and other types, quote strings that look like JSON: 'key="5"'.`,
  options: {
    input: { type: 'string', value: 'JSON', about: 'the whole input: JSON, @FILE for a file, - for stdin' },
    raw: {
      type: 'boolean',
      about: 'print the escaped output of a tool that broke its contract; for people, not models',
    },
  },
  examples: [
    ['toolpact call learning.hello name=Ada', 'greet'],
    ['toolpact call learning.hello name=Ada --json', 'print JSON for a script'],
    ['toolpact call learning.hello --input @ada.json', 'input from a file'],
    [`echo '{"name":"Ada"}' | toolpact call learning.hello --input -`, 'input from a pipe'],
  ],
  next: ([tool]) => (tool === undefined ? 'tool' : { parametersOf: tool }),
  async run(request) {
    const { positionals, options, terminal, open } = request
    const [tool, ...pairs] = positionals
    if (tool === undefined) throw new UsageError('call needs the name of a tool.', 'Run `toolpact list` to see them.')
    if (pairs.length > 0 && options.input !== undefined)
      throw new UsageError('Give the input as key=value or with --input, not both.')
    if (options.raw && options.json)
      throw new UsageError('--raw and --json cannot be combined.', 'Run `toolpact ledger show ID --raw --json` to get it as JSON.') // biome-ignore format: one line
    const json = options.json ?? false
    const status = !json && isatty(2) ? (await import('./terminal/status.ts')).createStatus() : undefined
    const approver = chooseApprover(terminal, options, () => toolpact.approvals)
    const onViolation = (violation: Violation) => {
      status?.show(undefined)
      printViolation(violation, terminal)
    }
    const toolpact: Toolpact = await open({
      approver: status?.around(approver.ask) ?? approver.ask,
      person: readUserName(),
      seal: 'due',
      ...(options.debug && { onViolation }),
    })
    try {
      const { contract, result: called } = await callTool(toolpact, request, { tool, pairs, status })
      status?.show(undefined)
      const result = approver.explain(called)
      const workspace = options.workspace ?? toolpact.config.workspace ?? '.'
      if (result.success && !json && terminal.columns !== undefined) {
        const { showResult } = await import('./terminal/show-result.ts')
        showResult(result, { terminal, workspace, contract, waitedMs: status?.waitedMs() ?? result.durationMs })
      } else printResult(result, { terminal, json, workspace })
      if (!result.success && !options.json) await offerRaw(toolpact, result, request)
      return toExitCode(result)
    } finally {
      status?.show(undefined)
      await toolpact.close()
    }
  },
}

/** Output that broke the contract is shown to people only: with `--raw`, or through the printed command. */
async function offerRaw(
  { evidence }: Pick<Toolpact, 'evidence'>,
  { callId }: CallResult,
  { options, terminal }: Request,
): Promise<void> {
  const raw = callId === '' ? undefined : await evidence.get(callId)
  if (raw === undefined) return
  if (!options.raw)
    return terminal.log(paint('dim', `To see its output: toolpact ledger show ${callId.slice(0, 8)} --raw`))
  terminal.log('Unchecked output:')
  terminal.print(...printableLines(raw).split('\n'))
}

interface Called {
  readonly tool: string
  readonly pairs: readonly string[]
  readonly status: Status | undefined
}

async function callTool(
  toolpact: Toolpact,
  request: Request,
  { tool, pairs, status }: Called,
): Promise<{ readonly result: CallResult; readonly contract?: Contract | undefined }> {
  const { terminal } = request
  if (status) {
    const { toStarting } = await import('./terminal/wait-for-servers.ts')
    status.show(() => toStarting(toolpact.upstreams.look()) ?? `${tool} is running`)
  }
  const found = await toolpact.catalog.find(tool, commandCaller)
  const contract = found.kind === 'found' ? found.tool.contract : undefined
  const read = await readCallInput(request, { pairs, contract, status })
  // Invalid JSON never becomes a call, because the pipeline would have nothing to check.
  if (!read.ok) return { result: { success: false, callId: '', tool, error: read.error, ran: false, durationMs: 0 } }
  const result = await toolpact.query().call(tool, read.input, {
    caller: commandCaller,
    origin: { surface: 'cli' },
    signal: terminal.signal,
    ...(status && { onProgress: status.setProgress, onOutput: status.addOutput }),
  })
  if (result.success) return { result, contract }
  const { error } = result
  // Users of the command line know tools by id.
  if (error.code === 'tool_ambiguous' && found.kind === 'ambiguous')
    return { result: { ...result, error: { ...error, suggestion: `Use one of ${found.ids.join(', ')}.` } } }
  if (error.code === 'tool_withheld' && found.kind === 'withheld')
    return { result: { ...result, error: { ...error, suggestion: toWithheldAdvice(found.id, toolpact.upstreams.look()) } } } // biome-ignore format: one line
  return { result }
}
