import type OpenAI from 'openai'
import { expect, onTestFinished, test } from 'vitest'
import { makeWorkflowFolder, openFlow, step } from '../../../test/helpers/workflow-folder.ts'
import { openToolpact } from '../../app/app.ts'
import type { ContractSource } from '../../contract/contract.ts'
import { defineTool } from '../../contract/define-tool.ts'
import { defineToolset } from '../../contract/define-toolset.ts'
import type { JsonObject } from '../../contract/json.ts'
import type { Toolset } from '../../contract/tool.ts'
import { startQuery } from '../../runtime/pipeline/queries.ts'
import { handleToolCalls, openaiTools } from './openai.ts'

const text = { type: 'string' } as const
const output = { type: 'object', properties: { said: text }, required: ['said'], additionalProperties: false } as const

const say = defineTool(
  {
    name: 'say',
    description: 'Says a word.',
    risk: 'read_only',
    input: {
      type: 'object',
      properties: { word: { ...text, maxLength: 9 }, loud: { type: 'boolean' } },
      required: ['word'],
      additionalProperties: false,
    },
    output,
  },
  ({ word, loud }) => ({ said: loud === undefined ? word : `${word}!` }),
)

async function open(toolsets: readonly Toolset[], more: Parameters<typeof openToolpact>[0] = {}) {
  const toolpact = await openToolpact({ storage: 'memory', toolsets, ...more })
  onTestFinished(() => toolpact.close())
  return toolpact
}

const one = defineToolset('one', [say])
const two = defineToolset('two', [say])

function toMessage(...calls: [name: string, args: string][]) {
  return {
    role: 'assistant',
    content: null,
    refusal: null,
    tool_calls: calls.map(([name, args], index) => ({
      id: `call_${index}`,
      type: 'function',
      function: { name, arguments: args },
    })),
  } satisfies OpenAI.ChatCompletionMessage
}

const contentOf = ({ content }: { content: string }): JsonObject => JSON.parse(content)

test('what is offered and what is answered fits the types of the official client', async () => {
  const toolpact = await open([one])
  const tools: OpenAI.ChatCompletionTool[] = await openaiTools(toolpact)
  const answers: OpenAI.ChatCompletionToolMessageParam[] = await handleToolCalls(
    toolpact,
    toMessage(['say', '{"word":"yes"}']),
  )
  expect(tools).toMatchObject([{ type: 'function', function: { name: 'say' } }])
  expect(answers).toEqual([
    {
      role: 'tool',
      tool_call_id: 'call_0',
      content: expect.stringMatching(/^{"tool":"say","success":true,"said":"yes","execution_time_ms":\d+}$/),
    },
  ])
})

test('several toolsets: the names that the model knows lead to the right tool', async () => {
  const toolpact = await open([one, two])
  expect((await openaiTools(toolpact)).map((tool) => tool.function.name)).toEqual(['one_say', 'two_say'])
  await handleToolCalls(toolpact, toMessage(['two_say', '{"word":"yes"}']))
  const [entry] = await toolpact.ledger.read({})
  expect(entry!.record).toMatchObject({ tool: 'two.say' })
})

test('nulls by which a strict model leaves something out are taken out', async () => {
  const toolpact = await open([one])
  const [answer] = await handleToolCalls(toolpact, toMessage(['say', '{"word":"yes","loud":null}']))
  expect(contentOf(answer!)).toMatchObject({ success: true, said: 'yes' })
})

test('whatever the model writes, every call is answered, in order, with what it can do', async () => {
  const toolpact = await open([one, two])
  const answers = await handleToolCalls(
    toolpact,
    toMessage(
      ['one_say', '{"word": "yes"'],
      ['one_say', '{"word":"a","word":"b"}'],
      ['one_say', `{"word":"far too long"}`],
      ['one_say', '[]'],
      ['one_say', ''],
      ['one_sya', '{}'],
      ['say', '{}'],
      ['nothing_like_it', '{}'],
      ['one_say', '['.repeat(100)],
      ['one_say', '{"word":"yes"}'],
    ),
  )
  expect(answers.map((answer) => answer.tool_call_id)).toEqual(answers.map((_, index) => `call_${index}`))
  const errors = answers.slice(0, -1).map((answer) => contentOf(answer).error as JsonObject)
  for (const error of errors)
    expect(error).toMatchObject({ message: expect.stringMatching(/\.$/), suggestion: expect.stringMatching(/[.?]$/) })
  expect(errors.map(({ code }) => code)).toEqual([
    ...Array<string>(5).fill('invalid_input'),
    'tool_not_found',
    'tool_ambiguous',
    'tool_not_found',
    'input_too_large',
  ])
  expect(errors[1]).toMatchObject({ problems: [{ pointer: '/word', keyword: 'duplicate_key' }] })
  expect(errors[2]).toMatchObject({ problems: [{ pointer: '/word', keyword: 'maxLength' }] })
  expect(errors.slice(5, 8).map(({ suggestion }) => suggestion)).toEqual([
    'Did you mean one_say?',
    'Use one of one_say, two_say.',
    'Call one of the tools that you were given.',
  ])
  expect(contentOf(answers.at(-1)!)).toMatchObject({ success: true, said: 'yes' })
})

test('messages of odd shape are answered too, and one without calls gets no answers', async () => {
  const toolpact = await open([one])
  const custom = { id: 'a', type: 'custom', custom: { name: 'shell', input: 'ls' } }
  const parsed = { id: 'b', function: { name: 'say', arguments: { word: 'yes' } as unknown as string } }
  const answers = await handleToolCalls(toolpact, { tool_calls: [custom, parsed, null as never] })
  expect(answers.map(({ tool_call_id }) => tool_call_id)).toEqual(['a', 'b', ''])
  expect(answers.map((answer) => contentOf(answer).success)).toEqual([false, true, false])
  for (const tool_calls of [undefined, null, [], {} as never])
    expect(await handleToolCalls(toolpact, { tool_calls })).toEqual([])
})

test('a toolset that cannot be loaded leaves no call unanswered', async () => {
  const toolpact = await open([one])
  const broken = { ...toolpact, catalog: { ...toolpact.catalog, all: () => Promise.reject(new Error('gone')) } }
  const answers = await handleToolCalls(broken, toMessage(['say', '{"word":"yes"}'], ['none', '{}']))
  expect(answers.map((answer) => contentOf(answer).success)).toEqual([true, false])
})

test('the caller, the approver and the query go with every call', async () => {
  const write = {
    name: 'write',
    description: 'Writes a text.',
    risk: 'safe_write',
    input: say.contract.input,
    output,
  } as const
  const notes = defineToolset('notes', [defineTool<ContractSource>(write, () => ({ said: 'done' }))])
  const toolpact = await open([notes])
  const asked: string[] = []
  const query = startQuery()
  const answers = await handleToolCalls(toolpact, toMessage(['write', '{"word":"a"}'], ['write', '{"word":"b"}']), {
    caller: { name: 'model' },
    query,
    approver: async ({ caller }) => {
      asked.push(caller.name)
      return { answer: 'yes', by: 'test' }
    },
  })
  expect(asked).toEqual(['model'])
  expect(answers.map(contentOf)).toMatchObject([{ success: true }, { error: { code: 'single_step' } }])
})

test('reads run at once; what changes something waits for those before it and holds up those after it', async () => {
  const events: string[] = []
  const waiting: (() => void)[] = []
  const toTool = (name: string, risk: 'read_only' | 'safe_write') =>
    defineTool<ContractSource>(
      { name, description: 'Waits for a while.', risk, approval: 'never', input: say.contract.input, output },
      async ({ word }) => {
        events.push(`${name} ${word} begins`)
        if (risk === 'read_only') {
          // Ends only once two of them run.
          const both = new Promise<void>((resolve) => waiting.push(resolve))
          if (waiting.length === 2) for (const end of waiting.splice(0)) end()
          await both
        } else await new Promise((resolve) => setTimeout(resolve, 20))
        events.push(`${name} ${word} ends`)
        return { said: String(word) }
      },
    )
  const toolpact = await open([defineToolset('order', [toTool('look', 'read_only'), toTool('change', 'safe_write')])])
  const answers = await handleToolCalls(
    toolpact,
    toMessage(
      ['look', '{"word":"1"}'],
      ['look', '{"word":"2"}'],
      ['change', '{"word":"3"}'],
      ['look', '{"word":"4"}'],
      ['look', '{"word":"5"}'],
    ),
  )
  expect(answers.map((answer) => contentOf(answer).said)).toEqual(['1', '2', '3', '4', '5'])
  const at = (event: string) => events.indexOf(event)
  expect(Math.max(at('look 1 ends'), at('look 2 ends'))).toBeLessThan(at('change 3 begins'))
  expect(at('change 3 ends')).toBeLessThan(Math.min(at('look 4 begins'), at('look 5 begins')))
})

test('a workflow is offered and called like any tool, and a run that the program leaves is answered with its id', async () => {
  const given = { $from: '/input/text' }
  const flow = await openFlow(
    makeWorkflowFolder({
      both: { steps: [step('one', 'note', given)], result: { said: { $from: '/steps/one/output/text' } } },
      slow: { steps: [step('one', 'note', 'slow 60000')] },
    }),
  )
  expect((await openaiTools(flow)).map((tool) => tool.function.name)).toEqual(expect.arrayContaining(['both', 'slow']))
  const [done] = await handleToolCalls(flow, toMessage(['both', '{"text":"hi"}']))
  expect(done!.content).toContain('"said":"hi"')
  const run = { detach: AbortSignal.timeout(500) }
  const [left] = await handleToolCalls(flow, toMessage(['slow', '{"text":"hi"}']), { run })
  const [waiting] = await flow.runs.list({ workflow: 'flow.slow' })
  expect(left!.content).toContain('run_pending')
  expect(left!.content).toContain(waiting!.id)
  await flow.runs.cancel(waiting!.id, 'Ada')
})
