/**
 * A model that works in a folder through LangChain.js, and asks before it changes something:
 *
 *   OPENAI_API_KEY=… MODEL=… node examples/langchain.ts 'Write a file todo.txt.'
 *
 * OPENAI_BASE_URL names another server that speaks chat completions, and APPROVE=yes answers its questions with yes.
 */
import { type BaseMessage, HumanMessage } from '@langchain/core/messages'
import { type StructuredToolInterface, tool } from '@langchain/core/tools'
import { ChatOpenAI } from '@langchain/openai'
import { type Approver, openToolpact } from 'toolpact'
import { langchainTools } from 'toolpact/langchain'

const approver: Approver = async ({ contract, canonicalInput }) => {
  console.log(`May ${contract.name} run with ${canonicalInput}? ${process.env.APPROVE ?? 'no'}`)
  return { answer: process.env.APPROVE === 'yes' ? 'yes' : 'no', by: 'program' }
}
const messages: BaseMessage[] = [new HumanMessage(process.argv[2] ?? 'Which files are here?')]

const toolpact = await openToolpact({ toolsets: ['workspace'] })
const tools = await langchainTools<StructuredToolInterface>(toolpact, tool, { approver })
const configuration = { baseURL: process.env.OPENAI_BASE_URL }
const model = new ChatOpenAI({ model: process.env.MODEL ?? 'gpt-5-mini', configuration }).bindTools(tools)
for (let turn = 0; turn < 10; turn++) {
  const message = await model.invoke(messages)
  messages.push(message)
  if (!message.tool_calls?.length) break
  for (const call of message.tool_calls) {
    const called = tools.find(({ name }) => name === call.name)
    if (called) messages.push(await called.invoke({ ...call, type: 'tool_call' }))
  }
}
await toolpact.close()

console.log(messages.at(-1)?.content)
