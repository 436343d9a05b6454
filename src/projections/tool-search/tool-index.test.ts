import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { ContractSource } from '../../contract/contract.ts'
import { defineTool } from '../../contract/define-tool.ts'
import { type Searchable, ToolIndex } from './tool-index.ts'

function makeEntry(id: string, source: Partial<ContractSource> = {}): Searchable {
  const [toolset, name] = id.split('.') as [string, string]
  const object = { type: 'object', additionalProperties: false } as const
  const { contract } = defineTool(
    { name, description: '', risk: 'read_only', input: object, output: object, ...source } as ContractSource,
    () => ({}),
  )
  return { id, toolset, tool: { contract } }
}

const tools = [
  makeEntry('github.create_issue', {
    description: 'Opens a ticket in a repository.',
    input: { type: 'object', properties: { labels: { type: 'array', description: 'Categories such as bug' } } },
  }),
  makeEntry('github.getFileContents', { description: 'Returns the text of a file on a branch.' }),
  makeEntry('weather.forecast', {
    description: 'Says how warm it will be.',
    input: {
      type: 'object',
      properties: {
        place: { type: 'object', properties: { postcode: { type: 'string' } } },
        unit: { enum: ['celsius', 'fahrenheit'] },
      },
    },
    examples: [{ title: 'Tomorrow in Lisbon', input: { place: { postcode: '1100' } } }],
  }),
  makeEntry('mail.delete_message', { description: 'Moves an email to the bin.' }),
  ...Array.from({ length: 30 }, (_, index) => makeEntry(`other.job_${index}`, { description: 'Does some work.' })),
]

function search(query: string, entries: readonly Searchable[] = tools): string[] {
  const index = new ToolIndex()
  index.update(entries)
  return index.search(query, 5).map(({ id }) => id)
}

describe('a search', () => {
  test.each([
    ['the name', 'create issue', 'github.create_issue'],
    ['a name in camel case', 'file contents', 'github.getFileContents'],
    ['the description', 'email bin', 'mail.delete_message'],
    ['the toolset', 'weather', 'weather.forecast'],
    ['a nested parameter', 'postcode', 'weather.forecast'],
    ['the description of a parameter', 'bug categories', 'github.create_issue'],
    ['a value that a parameter may take', 'fahrenheit', 'weather.forecast'],
    ['an example', 'lisbon', 'weather.forecast'],
    ['another form of a word', 'deleting messages', 'mail.delete_message'],
    ['a short form of a word', 'repo ticket', 'github.create_issue'],
    ['another verb', 'remove mail', 'mail.delete_message'],
    ['a misspelled word', 'forceast', 'weather.forecast'],
  ])('finds a tool by %s', (_, query, id) => {
    expect(search(query)[0]).toBe(id)
  })

  test('returns nothing where no word matches, and never more than asked for', () => {
    expect(search('xylophone')).toEqual([])
    expect(search('')).toEqual([])
    expect(search('some work')).toHaveLength(5)
  })

  test('skips tools that are not allowed, and fills their places with others', () => {
    const index = new ToolIndex()
    index.update(tools)
    const found = index.search('work', 5, ({ id }) => !/_[0-4]$/.test(id))
    expect(found).toHaveLength(5)
    expect(found.map(({ id }) => id)).not.toContain('other.job_0')
  })

  test('is not won by repeating a word', () => {
    const loud = makeEntry('loud.all', { description: 'forecast '.repeat(5000) })
    expect(search('weather forecast', [loud, ...tools])[0]).toBe('weather.forecast')
  })

  test('takes long queries, and words that are property names of objects', () => {
    expect(search('weather '.repeat(100_000))[0]).toBe('weather.forecast')
    expect(search('constructor __proto__ toString hasOwnProperty')).toEqual([])
  })
})

describe('an update', () => {
  test('removes, adds and replaces tools', () => {
    const index = new ToolIndex()
    index.update(tools)
    index.update(tools.slice(1))
    expect(index.search('create issue', 5).map(({ id }) => id)).not.toContain('github.create_issue')
    const renamed = makeEntry('mail.delete_message', { description: 'Shreds parchment.' })
    index.update([...tools.slice(1, 3), renamed])
    expect(index.search('parchment', 5)).toEqual([renamed])
    expect(index.search('email bin', 5).map(({ id }) => id)).not.toContain('mail.delete_message')
    expect(index.search('some work', 5)).toEqual([])
  })

  test('finds as a new index does, after any changes', () => {
    const words = fc.constantFrom('read', 'write', 'file', 'mail', 'user', 'list', 'report', 'branch')
    const entry = fc
      .tuple(fc.nat(40), fc.array(words, { minLength: 1, maxLength: 4 }))
      .map(([number, some]) => makeEntry(`set.tool_${number}`, { description: some.join(' ') }))
    const list = fc.uniqueArray(entry, { selector: ({ id }) => id, maxLength: 30 })
    fc.assert(
      fc.property(fc.array(list, { minLength: 1, maxLength: 8 }), words, (lists, word) => {
        const index = new ToolIndex()
        for (const each of lists) index.update(each)
        const found = new Set(index.search(word, 100).map(({ id }) => id))
        const fresh = new ToolIndex()
        fresh.update(lists.at(-1)!)
        expect(found).toEqual(new Set(fresh.search(word, 100).map(({ id }) => id)))
      }),
    )
  })
})

test('every tool is among the first five for its own name', () => {
  const part = fc.stringMatching(/^[a-z]{3,8}$/)
  const name = fc.tuple(part, part, part).map((parts) => parts.join('_'))
  fc.assert(
    fc.property(fc.uniqueArray(name, { minLength: 1, maxLength: 40 }), (names) => {
      const entries = names.map((each) => makeEntry(`set.${each}`))
      const index = new ToolIndex()
      index.update(entries)
      for (const entry of entries) expect(index.search(entry.tool.contract.name, 5)).toContain(entry)
    }),
  )
})
