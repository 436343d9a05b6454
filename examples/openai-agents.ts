/**
 * A model that works in a folder through the OpenAI Agents SDK, and asks before it changes something:
 *
 *   OPENAI_API_KEY=… MODEL=… node examples/openai-agents.ts 'Write a file todo.txt.'
 *
 * OPENAI_BASE_URL names another server that speaks chat completions, and APPROVE=yes answers its questions with yes.
 */
import { Agent, run, setOpenAIAPI, setTracingDisabled } from '@openai/agents'
import { openToolpact } from 'toolpact'
import { agentsTools } from 'toolpact/openai-agents'

setOpenAIAPI('chat_completions')
setTracingDisabled(true)

const toolpact = await openToolpact({ toolsets: ['workspace'] })
const agent = new Agent({
  name: 'Assistant',
  model: process.env.MODEL ?? 'gpt-5-mini',
  tools: await agentsTools(toolpact),
})
let result = await run(agent, process.argv[2] ?? 'Which files are here?')
for (let round = 0; round < 10 && result.interruptions.length > 0; round++) {
  for (const interruption of result.interruptions) {
    console.log(`May ${interruption.name} run with ${interruption.arguments}? ${process.env.APPROVE ?? 'no'}`)
    if (process.env.APPROVE === 'yes') result.state.approve(interruption)
    else result.state.reject(interruption)
  }
  result = await run(agent, result.state)
}
await toolpact.close()

console.log(result.finalOutput)
