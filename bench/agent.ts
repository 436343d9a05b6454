import { ask } from '../src/agent/ask/ask.ts'
import { createInputGate } from '../src/agent/ask/check-question.ts'
import type { Planner } from '../src/agent/ask/planner.ts'
import { openToolpact } from '../src/app/app.ts'
import { compare } from './compare.ts'
import type { About, Table } from './table.ts'

export const about: About = {
  compares: 'What a question to `toolpact ask` costs without the time of the model, beside the call alone.',
}

export async function* bench(): AsyncGenerator<Table> {
  const toolpact = await openToolpact({ storage: 'memory' })
  const gate = await createInputGate()
  const plan = { type: 'call_tool', server: 'learning', tool: 'hello', args: { name: 'Ada' } }
  const planner: Planner = { about: { model: 'none', protocol: 'json' }, plan: async () => ({ plan }) }
  yield await compare(
    'A question, without the time of the model',
    [
      { name: 'the call alone', run: () => toolpact.call('learning.hello', { name: 'Ada' }) },
      { name: 'the gate alone', run: () => gate.check('Please say hello to Ada.') },
      { name: 'gate, catalogue, plan, call, trace', run: () => askOnce() },
    ],
    { rounds: 20, samples: 20 },
  )

  async function askOnce() {
    const result = await ask(toolpact, 'Please say hello to Ada.', { gate, planner })
    if (result.outcome !== 'called' || !result.result.success) throw new Error(JSON.stringify(result))
  }

  await toolpact.close()
}
