/**
 * A model that looks around in a folder, with any server that speaks OpenAI's chat completions:
 *
 *   OPENAI_API_KEY=… MODEL=… node examples/openai.ts 'Which files are here?'
 *
 * OPENAI_BASE_URL names another server, such as http://127.0.0.1:11434/v1.
 */
import OpenAI from 'openai'
import { handleToolCalls, openaiTools, openToolpact } from 'toolpact'

const client = new OpenAI()
const model = process.env.MODEL ?? 'gpt-5-mini'
const question = process.argv[2] ?? 'Which files are here?'
const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: 'user', content: question }]

const toolpact = await openToolpact({ toolsets: ['workspace'], policy: { readOnly: true } })
const tools = await openaiTools(toolpact)
for (let turn = 0; turn < 10; turn++) {
  const { choices } = await client.chat.completions.create({ model, messages, tools })
  const { message } = choices[0]!
  messages.push(message, ...(await handleToolCalls(toolpact, message)))
  if (!message.tool_calls?.length) break
}
await toolpact.close()

console.log(messages.at(-1)?.content)
