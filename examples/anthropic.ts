/**
 * A model that looks around in a folder, with Anthropic's messages:
 *
 *   ANTHROPIC_API_KEY=… MODEL=… node examples/anthropic.ts 'Which files are here?'
 *
 * ANTHROPIC_BASE_URL names another server.
 */
import Anthropic from '@anthropic-ai/sdk'
import { anthropicTools, handleToolUses, openToolpact } from 'toolpact'

const client = new Anthropic()
const model = process.env.MODEL ?? 'claude-haiku-4-5'
const question = process.argv[2] ?? 'Which files are here?'
const messages: Anthropic.MessageParam[] = [{ role: 'user', content: question }]

const toolpact = await openToolpact({ toolsets: ['workspace'], policy: { readOnly: true } })
const tools = await anthropicTools(toolpact)
for (let turn = 0; turn < 10; turn++) {
  const message = await client.messages.create({ model, max_tokens: 4096, messages, tools })
  const results = await handleToolUses(toolpact, message)
  for (const block of message.content) if (block.type === 'text') console.log(block.text)
  if (results.length === 0) break
  messages.push({ role: 'assistant', content: message.content }, { role: 'user', content: results })
}
await toolpact.close()
