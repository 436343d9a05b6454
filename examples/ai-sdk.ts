/**
 * A model that works in a folder through the Vercel AI SDK, and asks before it changes something:
 *
 *   OPENAI_API_KEY=… MODEL=… node examples/ai-sdk.ts 'Write a file todo.txt.'
 *
 * OPENAI_BASE_URL names another server that speaks chat completions, and APPROVE=yes answers its questions with yes.
 */
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { generateText, isStepCount, type ModelMessage, type ToolApprovalResponse } from 'ai'
import { openToolpact } from 'toolpact'
import { aiSdkTools } from 'toolpact/ai-sdk'

const { OPENAI_BASE_URL: baseURL = 'https://api.openai.com/v1', OPENAI_API_KEY: apiKey, APPROVE } = process.env
const model = createOpenAICompatible({ name: 'server', baseURL, apiKey })(process.env.MODEL ?? 'gpt-5-mini')
const messages: ModelMessage[] = [{ role: 'user', content: process.argv[2] ?? 'Which files are here?' }]

const toolpact = await openToolpact({ toolsets: ['workspace'] })
const tools = await aiSdkTools(toolpact)
let text = ''
for (let round = 0; round < 10; round++) {
  const result = await generateText({ model, messages, tools, stopWhen: isStepCount(10) })
  text = result.text
  messages.push(...result.response.messages)
  const requests = result.content.filter((part) => part.type === 'tool-approval-request')
  if (requests.length === 0) break
  const answers = requests.map(({ approvalId, toolCall }): ToolApprovalResponse => {
    console.log(`May ${toolCall.toolName} run with ${JSON.stringify(toolCall.input)}? ${APPROVE ?? 'no'}`)
    return { type: 'tool-approval-response', approvalId, approved: APPROVE === 'yes' }
  })
  messages.push({ role: 'tool', content: answers })
}
await toolpact.close()

console.log(text)
