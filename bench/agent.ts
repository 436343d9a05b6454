import { ask } from '../src/agent/ask.ts'
import { createInputGate } from '../src/agent/gate.ts'
import { narrowCatalogue } from '../src/agent/narrow-catalogue.ts'
import type { Planner } from '../src/agent/planner.ts'
import { openToolpact } from '../src/app.ts'
import { defineTool } from '../src/contract/define-tool.ts'
import { compare } from './compare.ts'
import type { About, Table } from './table.ts'

export const about: About = {
  compares:
    'What a question to `toolpact ask` costs without the time of the model, beside the call alone; and the search in the catalogue.',
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

  const few = makeTools(10)
  const many = makeTools(10_000)
  const search = (tools: typeof few) => narrowCatalogue(tools, 'How will the weather be in city 77 tomorrow?', 5)
  yield await compare(
    'The search in the catalogue, for five tools',
    [
      { name: '10 tools', run: () => search(few) },
      { name: '10,000 tools', run: () => search(many) },
      { name: '10,000 tools, for the first time', run: () => search([...many]) },
    ],
    { rounds: 10, samples: 5 },
  )
  await toolpact.close()
}

const verbs = ['get', 'list', 'create', 'delete', 'update', 'search', 'send', 'count', 'read', 'move']
const things = ['weather', 'invoice', 'ticket', 'page', 'file', 'message', 'event', 'user', 'order', 'branch']

function makeTools(count: number) {
  return Array.from({ length: count }, (_, index) => {
    const verb = verbs[index % 10]!
    const thing = things[Math.floor(index / 10) % 10]!
    const name = `${verb}_${thing}_${index}`
    const { contract } = defineTool(
      {
        name,
        description: `Lets you ${verb} a ${thing} of the city ${index}, with what is known about it.`,
        risk: 'read_only',
        input: {
          type: 'object',
          additionalProperties: false,
          properties: { [`${thing}_id`]: { type: 'string', description: `Which ${thing} it is` } },
        },
        output: { type: 'object', additionalProperties: false },
      },
      () => ({}),
    )
    const toolset = `server${index % 40}`
    return { id: `${toolset}.${name}`, toolset, tool: { contract } }
  })
}
