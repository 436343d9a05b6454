import type { Planner, Protocol } from '../agent/planner.ts'
import type { Toolpact } from '../app.ts'
import type { Model } from '../capabilities/model.ts'
import { chooseApprover } from './choose-approver.ts'
import { type Command, type Options, type Request, UsageError } from './command.ts'
import { printAsked, tellPlan, toAskedExitCode } from './print-asked.ts'
import { startSpinner } from './spinner.ts'

export const ask: Command = {
  usage: ['ask QUESTION [--timeout SECONDS] [--protocol tools | json]'],
  about: `Lets a model answer a question by at most one tool. The model chooses the tool and its input; the contract, the rules and you decide.
The model is the one of TOOLPACT_MODEL_URL, TOOLPACT_MODEL and TOOLPACT_MODEL_KEY, or of model in the config. docs/ask.md tells more.`,
  options: {
    timeout: { type: 'string', value: 'SECONDS', about: 'how long to wait for the model (default: 30)' },
    protocol: { type: 'string', value: 'NAME', about: 'tools: function calling; json: for models that cannot' },
  },
  examples: [
    ['toolpact ask "What is in README.md?"', 'read a file'],
    ['toolpact ask "Which files mention TODO?" --json', 'for a script'],
    ['toolpact ask "Greet Ada." --toolset learning', 'with the tools of one toolset'],
  ],
  async run(request) {
    const { options, open, terminal } = request
    const question = toQuestion(request)
    const timeoutMs = toTimeoutMs(options.timeout)
    const given = toProtocol(options.protocol)
    const approver = chooseApprover(terminal, options, () => toolpact.approvals)
    const toolpact: Toolpact = await open({ approver: approver.ask, start: 'eager' })
    try {
      const { agent } = toolpact.config
      const planner = await openPlanner(toolpact, { protocol: given ?? agent?.protocol, timeoutMs })
      const result = await askWith(toolpact, question, { request, planner })
      printAsked(result.outcome === 'called' ? { ...result, result: approver.explain(result.result) } : result, {
        terminal,
        json: options.json ?? false,
        workspace: toolpact.workspace,
      })
      return toAskedExitCode(result)
    } finally {
      await toolpact.close()
    }
  },
}

/** Asks with the gate and the bounds of the config. */
export async function askWith(
  toolpact: Toolpact,
  question: string,
  { request, planner, ...more }: { request: Request; planner: Planner; only?: readonly string[]; replays?: string },
) {
  const { options, terminal } = request
  const { ask } = await import('../agent/ask.ts')
  const { createInputGate } = await import('../agent/gate.ts')
  const { agent, policy } = toolpact.config
  // The tools of servers that are still starting would be missing.
  await toolpact.upstreams.statuses()
  return ask(toolpact, question, {
    ...more,
    gate: await createInputGate(agent?.gate),
    planner: options.json ? planner : withSpinner(planner),
    ...(agent && { mostTools: agent.tools }),
    readOnly: options['read-only'] ?? policy?.readOnly ?? false,
    signal: terminal.signal,
    onPlan: (plan) => options.json || tellPlan(plan, terminal),
  })
}

async function openPlanner(
  { config }: Toolpact,
  { protocol, timeoutMs }: { protocol: Protocol | undefined; timeoutMs: number | undefined },
): Promise<Planner> {
  const { openModelLater } = await import('../capabilities/model/open-model-later.ts')
  const { createModelPlanner } = await import('../agent/planner.ts')
  const model: Model = openModelLater({ environment: process.env, config: config.model })
  return createModelPlanner(model, { ...(protocol && { protocol }), timeoutMs })
}

function withSpinner(planner: Planner): Planner {
  return {
    ...planner,
    async plan(...given) {
      const spinner = startSpinner(`${planner.about.model} chooses a tool`)
      return planner.plan(...given).finally(spinner.stop)
    },
  }
}

function toQuestion({ positionals }: Request): string {
  const [question, ...more] = positionals
  if (question === undefined) throw new UsageError('ask needs a question.', 'toolpact ask "What is in README.md?"')
  if (more.length > 0) throw new UsageError('ask takes one question.', 'Put it into quotes.')
  return question
}

const mostSeconds = 3600

function toTimeoutMs(text: Options['timeout']): number | undefined {
  if (text === undefined) return undefined
  const seconds = /^\d+(?:\.\d+)?$/.test(text) ? Number(text) : 0
  if (seconds > 0 && seconds <= mostSeconds) return Math.max(1, Math.round(seconds * 1000))
  throw new UsageError(`--timeout cannot be '${text}'.`, `Use a number of seconds, up to ${mostSeconds}.`)
}

function toProtocol(text: Options['protocol']): Protocol | undefined {
  if (text === undefined || text === 'tools' || text === 'json') return text
  throw new UsageError(`--protocol cannot be '${text}'.`, 'Use tools or json.')
}
