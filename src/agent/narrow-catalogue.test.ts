import { expect, test } from 'vitest'
import type { Contract } from '../contract/contract.ts'
import { narrowCatalogue } from './narrow-catalogue.ts'

/** Many tools with distinct words, and some that people know. */
function makeTools(count: number) {
  const tool = (toolset: string, name: string, description: string, parameters: readonly string[] = []) => {
    const properties = Object.fromEntries(parameters.map((parameter) => [parameter, { type: 'string' }]))
    const input = { type: 'object', properties }
    const contract = { name, title: name, description, input, examples: [] } as unknown as Contract
    return { id: `${toolset}.${name}`, toolset, tool: { contract } }
  }
  return [
    ...Array.from({ length: count }, (_, index) =>
      tool(`server${index % 10}`, `work_${index}`, `Does the job number ${index} of the department of widgets.`),
    ),
    tool('workspace', 'read_file', 'Reads the text of a file, or some of its lines.', ['path']),
    tool('weather', 'getForecast', 'Tells how the weather will be in a city.', ['city', 'days']),
    tool('calendar', 'create_event', 'Puts an appointment into a calendar.', ['title', 'startTime']),
  ]
}

const ids = (entries: readonly { id: string }[]) => entries.map(({ id }) => id)

test('a catalogue that is small enough stays as it is', () => {
  const tools = makeTools(3)
  expect(narrowCatalogue(tools, 'anything', 6)).toBe(tools)
})

test.each([
  ['Read the file README.md', 'workspace.read_file'],
  ['reading files', 'workspace.read_file'],
  ['What will the weather be in Berlin?', 'weather.getForecast'],
  ['forecasts for three days', 'weather.getForecast'],
  ['Make an appointment on Friday', 'calendar.create_event'],
  ['Do job number 777', 'server7.work_777'],
])('%j finds %s among a thousand', (question, id) => {
  expect(ids(narrowCatalogue(makeTools(1000), question, 5))[0]).toBe(id)
})

test('room that is left goes to each toolset in turn, and a question without a match gets that alone', () => {
  const found = ids(narrowCatalogue(makeTools(100), 'Zebra', 14))
  expect(found).toHaveLength(14)
  expect(new Set(found.map((id) => id.split('.')[0])).size).toBe(13)
  expect(ids(narrowCatalogue(makeTools(100), 'weather', 14))[0]).toBe('weather.getForecast')
})

test('the same question gives the same tools, in the same order, each once', () => {
  const tools = makeTools(200)
  const once = ids(narrowCatalogue(tools, 'department of widgets', 24))
  expect(ids(narrowCatalogue(tools, 'department of widgets', 24))).toEqual(once)
  expect(new Set(once).size).toBe(24)
})

test('a tool does not win by repeating a word', () => {
  const tools = makeTools(50)
  const loud = { ...tools[0]!, id: 'loud.all', toolset: 'loud' }
  const contract = { ...loud.tool.contract, name: 'all', description: 'weather '.repeat(5000) }
  const found = ids(narrowCatalogue([...tools, { ...loud, tool: { contract } }], 'weather in a city', 5))
  expect(found[0]).toBe('weather.getForecast')
})
