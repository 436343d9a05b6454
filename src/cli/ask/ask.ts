import type { AskOptions, CalledTool } from '../../agent/ask/ask.ts'
import type { Planner, Protocol } from '../../agent/ask/planner.ts'
import type { Toolpact } from '../../app/app.ts'
import type { Model } from '../../capabilities/model.ts'
import { allowSending, type Command, type Options, type Request, UsageError } from '../options/command.ts'
import { toTimeoutMs } from '../options/option-values.ts'
import { type ChosenApprover, chooseApprover } from '../terminal/choose-approver.ts'
import { createStatus, type Status } from '../terminal/status.ts'
import { waitForServers } from '../terminal/wait-for-servers.ts'
import { printAsked, printCalled, printPlan, toAskedExitCode } from './print-asked.ts'

export const ask: Command = {
  usage: ['ask QUESTION [--summarize] [--timeout SECONDS] [--protocol tools | json]'],
  about: `Lets a model answer a question by at most one tool. The model chooses the tool and its input; the contract, the rules and you decide.
The model is set by TOOLPACT_MODEL_URL, TOOLPACT_MODEL and TOOLPACT_MODEL_KEY, or by model in the config. See docs/chat.md.`,
  options: {
    summarize: { type: 'boolean', about: 'summarize the output; each claim quotes its source' },
    'free-form': { type: 'boolean', about: 'also summarize output without a schema' },
    timeout: { type: 'string', value: 'SECONDS', about: 'how long to wait for the model (default: 30)' },
    protocol: { type: 'string', value: 'NAME', about: 'tools: function calling; json: for models that cannot' },
    ...allowSending,
  },
  examples: [
    ['toolpact ask "What is in README.md?"', 'read a file'],
    ['toolpact ask "Which files mention TODO?" --json', 'for a script'],
    ['toolpact ask "Read report.md." --summarize', 'summarize a file'],
    ['toolpact ask "Greet Ada." --toolset learning', 'with the tools of one toolset'],
  ],
  async run(request) {
    const { options, open, terminal } = request
    const question = toQuestion(request)
    const timeoutMs = toTimeoutMs(options.timeout)
    const given = toProtocol(options.protocol)
    const approver = chooseApprover(terminal, options, () => toolpact.approvals)
    const toolpact: Toolpact = await open({
      approver: approver.ask,
      start: 'eager',
      ...(!options['allow-sending'] && { dataFlow: 'session' }),
    })
    try {
      const { createModelPlanner } = await import('../../agent/ask/planner.ts')
      const model = await openChosenModel(toolpact, timeoutMs)
      const planner = createModelPlanner(model, given ?? toolpact.config.agent?.protocol)
      const more = options.summarize && { summarize: createSummarizer(model) }
      return await askAndPrint(toolpact, question, { request, approver, planner, ...more })
    } finally {
      await toolpact.close()
    }
  },
}

interface AskAndPrint extends Pick<AskOptions, 'planner' | 'only' | 'replays' | 'summarize'> {
  readonly request: Request
  readonly approver: ChosenApprover
  /** Called with the run before it is printed. */
  readonly onEnd?: (runId: string) => Promise<void>
}

/** Asks with the question filter and limits of the config, prints the result and returns the exit code. */
export async function askAndPrint(
  toolpact: Toolpact,
  question: string,
  { request, approver, planner, onEnd, ...more }: AskAndPrint,
): Promise<number> {
  const { options, terminal } = request
  const { ask } = await import('../../agent/ask/ask.ts')
  const { createInputGate } = await import('../../agent/ask/check-question.ts')
  const { agent, policy } = toolpact.config
  const json = options.json ?? false
  const explain = <Called extends CalledTool>(called: Called) => ({
    ...called,
    result: approver.explain(called.result),
  })
  // Otherwise their tools would be missing.
  await waitForServers(toolpact, terminal)
  const status = json ? undefined : createStatus()
  const result = await ask(toolpact, question, {
    ...more,
    gate: await createInputGate(agent?.gate),
    planner: status ? withStatus(planner, status) : planner,
    ...(more.summarize && { summarize: withSummaryStatus(more.summarize, planner, status) }),
    ...(status && {
      approver: status.around(approver.ask),
      onProgress: status.setProgress,
      onOutput: status.addOutput,
    }),
    ...(agent && { maxTools: agent.tools }),
    readsFreeForm: Boolean(options['free-form']) || agent?.freeFormOutput === 'models',
    readOnly: options['read-only'] ?? policy?.readOnly ?? false,
    signal: terminal.signal,
    onPlan(plan) {
      if (!json) printPlan(plan, terminal)
      status?.restart()
      if (plan.type === 'call_tool') status?.show(() => `${plan.tool} is running`)
    },
    onCalled(called) {
      status?.show(undefined)
      const waitedMs = status?.waitedMs() ?? 0
      printCalled(explain(called), { terminal, json, workspace: toolpact.workspace, waitedMs })
    },
  }).finally(() => status?.show(undefined))
  await onEnd?.(result.runId)
  printAsked(result.outcome === 'called' ? explain(result) : result, { terminal, json })
  return toAskedExitCode(result)
}

async function openChosenModel({ config }: Toolpact, timeoutMs: number | undefined): Promise<Model> {
  const { openLazyModel } = await import('../../capabilities/model/open-lazy-model.ts')
  const model = openLazyModel({ environment: process.env, config: config.model })
  if (timeoutMs === undefined) return model
  return { ...model, complete: (request, options) => model.complete(request, { timeoutMs, ...options }) }
}

function createSummarizer(model: Model): Summarize {
  return async (output, signal) => {
    const { summarize } = await import('../../agent/ask/summarize.ts')
    const { toSourceText } = await import('../../agent/grounding/source-text.ts')
    return summarize(toSourceText(output), { model, ...(signal && { signal }) })
  }
}

type Summarize = NonNullable<AskOptions['summarize']>

function withSummaryStatus(summarize: Summarize, { about }: Planner, status: Status | undefined): Summarize {
  return (...given) => {
    status?.show(`${about.model} is summarizing`)
    return summarize(...given).finally(() => status?.show(undefined))
  }
}

function withStatus(planner: Planner, status: Status): Planner {
  return {
    ...planner,
    async plan(...given) {
      status.show(`${planner.about.model} is choosing a tool`)
      return planner.plan(...given).finally(() => status.show(undefined))
    },
  }
}

function toQuestion({ positionals }: Request): string {
  const [question, ...more] = positionals
  if (question === undefined) throw new UsageError('ask needs a question.', 'toolpact ask "What is in README.md?"')
  if (more.length > 0) throw new UsageError('ask takes one question.', 'Put it into quotes.')
  return question
}

function toProtocol(text: Options['protocol']): Protocol | undefined {
  if (text === undefined || text === 'tools' || text === 'json') return text
  throw new UsageError(`--protocol cannot be '${text}'.`, 'Use tools or json.')
}
