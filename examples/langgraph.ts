/**
 * A LangGraph graph that runs a workflow, waits until a person has answered its question, and continues:
 *
 *   node examples/langgraph.ts todos.md
 *
 * The workflow is examples/workflows/todo_report.workflow.json, which asks before it writes a file. While it waits, the graph
 * is interrupted, and the run is kept in the storage: it survives the end of this program, and `toolpact runs` lists it.
 */
import { setTimeout } from 'node:timers/promises'
import { type StructuredToolInterface, tool } from '@langchain/core/tools'
import { Annotation, Command, END, interrupt, MemorySaver, START, StateGraph } from '@langchain/langgraph'
import { openToolpact } from 'toolpact'
import { langchainTools } from 'toolpact/langchain'

const toolpact = await openToolpact({
  toolsets: ['workspace', 'workflows'],
  contracts: [`${import.meta.dirname}/workflows`],
})
const runs = toolpact.runs!
// Continues runs in this program. What their steps ask goes to the queue.
runs.begin()

const State = Annotation.Root({
  path: Annotation<string>(),
  run: Annotation<string>(),
  result: Annotation<string>(),
})

/** Starts the run, and does not wait for its end: `detach` lets the call return with the run pending. */
async function start({ path }: typeof State.State) {
  const { promise: run, resolve } = Promise.withResolvers<string>()
  const follow = { onStart: resolve, detach: AbortSignal.abort() }
  const tools = await langchainTools<StructuredToolInterface>(toolpact, tool, { run: follow })
  const workflow = tools.find(({ name }) => name.endsWith('todo_report'))!
  const pending = await workflow.invoke({ path })
  console.log(JSON.parse(pending).error.code)
  return { run: await run }
}

/** Interrupts the graph while the run waits for an answer. The graph continues here with what it is resumed with. */
async function answer({ run }: typeof State.State) {
  const question = await findQuestion(run)
  if (question === undefined) return {}
  const said = interrupt<{ question: string }, 'yes' | 'no'>({ question })
  await toolpact.approvals.answer(question, { answer: said, by: 'Ada', via: 'langgraph' }, Date.now())
  return {}
}

/** Waits until the run has ended. */
async function finish({ run }: typeof State.State) {
  const { state, output, error } = await runs.wait(run)
  return { result: `${state}: ${JSON.stringify(output ?? error?.code)}` }
}

const graph = new StateGraph(State)
  .addNode('start', start)
  .addNode('answer', answer)
  .addNode('finish', finish)
  .addEdge(START, 'start')
  .addEdge('start', 'answer')
  .addEdge('answer', 'finish')
  .addEdge('finish', END)
  .compile({ checkpointer: new MemorySaver() })

const thread = { configurable: { thread_id: 'one' } }
await graph.invoke({ path: process.argv[2] ?? 'todos.md' }, thread)
const [asked] = (await graph.getState(thread)).tasks.flatMap(({ interrupts }) => interrupts)
console.log(asked ? 'The graph waits for an answer.' : 'Nothing was asked.')
if (asked) await graph.invoke(new Command({ resume: process.env.APPROVE ?? 'no' }), thread)
console.log((await graph.getState(thread)).values.result)
await toolpact.close()

/** The question that the run waits for; undefined once it has ended. */
async function findQuestion(id: string): Promise<string | undefined> {
  for (;;) {
    const { state, waitsFor } = (await runs.find(id))!
    const asks = waitsFor.find(({ questionId }) => questionId !== undefined)
    if (asks || !['running', 'waiting'].includes(state)) return asks?.questionId
    await setTimeout(100)
  }
}
