import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fromMarkdown } from './from-markdown.ts'

const schema = '{ "type": "object", "additionalProperties": false, "properties": {} }'
const fenced = (text: string, language = 'json') => `\`\`\`${language}\n${text}\n\`\`\`\n`
const tool = (more = '') =>
  `## read_note\nReads one note of all.\n\n${more}\n### Input\n${fenced(schema)}### Output\n${fenced(schema)}`

test.each([
  ['a heading with Tool:', tool().replace('## ', '## Tool: ')],
  ['a number', tool().replace('## ', '### 12. ').replaceAll('### I', '#### I').replaceAll('### O', '#### O')],
  ['bold labels', tool().replace('### Input', '**Input**:').replace('### Output', '**Returns:**')],
  [
    'a list',
    `## read_note\nReads one note of all.\n- input_schema:\n${fenced(schema)}- output_schema:\n${fenced(schema)}`,
  ],
  [
    'a list with blocks inside',
    `## read_note\nReads one note of all.\n- input_schema:\n  ${fenced(schema).replaceAll('\n', '\n  ')}\n- output_schema:\n  ${fenced(schema).replaceAll('\n', '\n  ')}`,
  ],
  [
    'one block',
    `## read_note\n\nText.\n\n${fenced(`{ "name": "read_note", "description": "Reads one note of all.", "parameters": ${schema}, "returns": ${schema} }`)}`,
  ],
])('a tool is found by %s', async (_, text) => {
  const { contracts } = await fromMarkdown(text)
  expect(contracts.map(({ source }) => source)).toEqual([
    {
      name: 'read_note',
      description: 'Reads one note of all.',
      risk: 'dangerous',
      input: JSON.parse(schema),
      output: JSON.parse(schema),
    },
  ])
  expect(contracts[0]).toMatchObject({ id: 'read_note', line: 1, assumed: ['/risk'] })
})

test('the example in docs/compatibility.md is read as it says', async () => {
  const page = readFileSync(new URL('../../../docs/compatibility.md', import.meta.url), 'utf8').replaceAll('\r\n', '\n')
  const [, example] = /````markdown\n([\s\S]*?)````/.exec(page)!
  const { contracts, report } = await fromMarkdown(example!, { lint: false })
  expect(contracts[0]).toMatchObject({
    id: 'notes.read_note',
    source: { description: 'Reads one note of the collection.', effects: { reads: ['path'] }, approval: 'never' },
  })
  expect(report.map(({ code }) => code)).toEqual(['tool', 'output-missing'])
})

test('lines of the report are those of the document, inside JSON too', async () => {
  const broken = tool().replace('"properties": {} }', '\n"properties": {\n "a": { "type": "strng" } } }')
  const { report } = await fromMarkdown(broken.replaceAll('\n', '\r\n'))
  const line = broken.split('\n').findIndex((text) => text.includes('strng')) + 1
  expect(report).toContainEqual(expect.objectContaining({ line, kind: 'wrong', tool: 'read_note', pointer: '/input/properties/a/type' })) // biome-ignore format: one line
})

test('status, risk, approval, endpoint, transport, limits and effects are taken from a list', async () => {
  const list = '- status: planned\n- risk: Read-only\n- approval: not required\n- endpoint: `notes` (a server)\n- transport: mcp (http or stdio server)\n- version: 2.0.0\n- limits: `{ "timeoutMs": 5 }`\n- effects:\n  ```json\n  { "reads": [] }\n  ```\n' // biome-ignore format: one line
  const { contracts } = await fromMarkdown(tool(list))
  expect(contracts[0]).toMatchObject({
    id: 'notes.read_note',
    toolset: 'notes',
    source: {
      status: 'planned',
      endpoint: 'notes',
      transport: 'mcp (http or stdio server)',
      risk: 'read_only',
      approval: 'never',
      version: '2.0.0',
      limits: { timeoutMs: 5 },
      effects: { reads: [] },
    },
  })
})

test.each([
  ['- endpoint: `notes`', { endpoint: 'notes' }, 'notes'],
  ['- toolset: `notes`\n- endpoint: https://a.example (theirs)', { endpoint: 'https://a.example' }, 'notes'],
  ['- endpoint: `notes` (default)\n- transport: mcp, rest (default)', {}, 'notes'],
  ['- server: notes\n- transport: `mcp` (stdio)', { transport: 'mcp (stdio)' }, 'notes'],
])('%s says where the tool is reached', async (list, place, toolset) => {
  const { contracts } = await fromMarkdown(tool(`${list}\n`))
  const { transport, endpoint } = contracts[0]!.source
  expect({ transport, endpoint }).toEqual({ transport: undefined, endpoint: undefined, ...place })
  expect(contracts[0]!.toolset).toBe(toolset)
})

test.each([
  ['- status: shipped', 'status-unknown'],
  ['- risk: low', 'risk-unknown'],
  ['- approval: perhaps', 'approval-unknown'],
  ['- toolset: https://a.example', 'toolset-invalid'],
  ['- name: `a b`', 'name-invalid'],
  ['- limits: many', 'limits-unknown'],
  ['- version: 2', 'contract-invalid'],
])('%s is wrong', async (line, code) => {
  const { report } = await fromMarkdown(tool(`${line}\n`))
  expect(report).toContainEqual(expect.objectContaining({ kind: 'wrong', severity: 'error', code }))
})

test.each([
  ['- status: active (by stdio)', 'status-remark'],
  ['- endpoint: `notes` (a server)', 'endpoint-remark'],
  ['- status: active\n- colour: red', 'part-unknown'],
  ['- status: active\n- access: Notes', 'summary-incomplete'],
])('of %s something is left', async (line, code) => {
  const { report } = await fromMarkdown(tool(`${line}\n`))
  expect(report).toContainEqual(expect.objectContaining({ kind: 'left', code }))
})

test('constraints in prose are kept, and set limits, approval and risk', async () => {
  const list = '### Constraints\n- **Paths**:\n  - `a/**`\n  - `b`\n- Rate limit: 5 calls per hour\n- Needs the consent of a person\n- Read-only: changes nothing\n- [to do]\n' // biome-ignore format: one line
  const { contracts, report } = await fromMarkdown(`${tool()}${list}`)
  expect(contracts[0]!.source).toMatchObject({
    constraints: [
      'Paths: a/**, b',
      'Rate limit: 5 calls per hour',
      'Needs the consent of a person',
      'Read-only: changes nothing',
    ],
    limits: { calls: { count: 5, windowMs: 3_600_000 } },
    approval: 'ask',
    risk: 'read_only',
  })
  expect(report).toContainEqual(expect.objectContaining({ code: 'placeholder' }))
})

test('errors are read with either name of their status, and from prose', async () => {
  const errors = fenced(
    '[{ "code": "gone", "http_status": 404 }, { "code": "full", "status": 507, "when": "W.", "suggestion": "S." }]',
  )
  const exact = await fromMarkdown(`${tool()}### Errors\n${errors}`)
  expect(exact.contracts[0]).toMatchObject({
    source: {
      errors: [
        { code: 'gone', status: 404, when: 'Gone.' },
        { code: 'full', status: 507, when: 'W.', suggestion: 'S.' },
      ],
    },
    assumed: ['/errors/0/when', '/errors/0/suggestion', '/risk'],
  })
  const words = await fromMarkdown(`${tool()}### Error Cases\n- Note not found: "Error"\n- Odd: "Warning: odd"\n`)
  expect(words.contracts[0]!.source.errors).toMatchObject([
    { code: 'note_not_found', status: 404, when: 'Note not found.' },
  ])
  expect(words.contracts[0]!.assumed).toContain('/errors')
})

test('requests and responses become examples', async () => {
  const pair = `### Example\n\n**Request:**\n${fenced('{ "tool": "read_note", "parameters": { "a": 1 } }')}\n**Response:**\n${fenced('{ "b": 2 }')}`
  expect((await fromMarkdown(tool() + pair)).contracts[0]!.source.examples).toEqual([
    { input: { a: 1 }, output: { b: 2 } },
  ])
  const { report } = await fromMarkdown(tool() + pair.replace('read_note', 'other'))
  expect(report).toContainEqual(expect.objectContaining({ code: 'example-other-tool', severity: 'error' }))
})

test('an unclosed fence is reported, and reading resumes after its JSON', async () => {
  const text = `# A\n\n\`\`\`json\n{\n  "name": "x"\n}\n\n${tool().replaceAll('```', '~~~')}`
  const { contracts, report } = await fromMarkdown(text)
  expect(contracts.map(({ id, line }) => [id, line])).toEqual([['read_note', 8]])
  expect(report).toContainEqual(expect.objectContaining({ line: 3, code: 'fence-unclosed', severity: 'error' }))
})

test('templates, duplicate tools and rows of unknown tools are reported', async () => {
  const gaps = tool().replace('"properties": {}', '"properties": {\n// ...\n}').replaceAll('read_note', 'my_tool')
  const table = '\n## Constraint Summary\n\n| Tool | Access | Side Effects | Approval Required |\n|--|--|--|--|\n| read_note | Notes | None | Yes |\n| other | a | b | No |\n' // biome-ignore format: one line
  const { contracts, report } = await fromMarkdown(`${gaps}\n${tool()}\n${tool()}\n${table}`)
  expect(contracts).toHaveLength(1)
  expect(contracts[0]!.source).toMatchObject({ approval: 'ask', summary: { access: 'Notes', sideEffects: 'None' } })
  const codes = report.map(({ code }) => code)
  expect(codes).toEqual(expect.arrayContaining(['template', 'tool-twice', 'table-unknown-tool']))
})

test('a table that contradicts the section of a tool is wrong', async () => {
  const table = '\n| Tool | Approval Required |\n|--|--|\n| read_note | Yes |\n'
  const { report } = await fromMarkdown(`${tool('- approval: never\n')}\n# More\n${table}`)
  expect(report).toContainEqual(expect.objectContaining({ code: 'table-disagrees', pointer: '/approval' }))
})

test('documents that are too large are not read, and passages nested too deep are skipped', async () => {
  expect((await fromMarkdown('a'.repeat(1_048_577))).report).toMatchObject([{ code: 'too-large', severity: 'error' }])
  const deep = `${'>'.repeat(500)} a\n\n${'['.repeat(70_000)}\n\n${tool()}`
  const { contracts, report } = await fromMarkdown(deep)
  expect(contracts).toHaveLength(1)
  expect(report.filter(({ code }) => code === 'too-deep')).toHaveLength(2)
  const nested = tool().replace(schema, `{ "type": "object", "default": ${'['.repeat(500)}${']'.repeat(500)} }`)
  expect((await fromMarkdown(nested)).report).toContainEqual(expect.objectContaining({ code: 'json-invalid' }))
})

test('no text makes it throw, and every line of the report is one of the document', async () => {
  const piece = fc.constantFrom('## read_note\n', '### Input\n', '**Errors**\n', '- status: x\n', '- effects: `{`\n', '```json\n', '```\n', '{ "type": ["object"] }\n', '[{ "code": 1 }, 2]\n', '{ "name": 1, "parameters": {} }\n', '{ "a": { "type": "string", "required": true } }\n', '| Tool | Access |\n|--|--|\n| a |\n', '| Code | Description |\n|--|--|\n| 404 | a |\n', '- a: b\n', '> ', '  - ', '\n', '\u0000', '<!--', '[x]: y\n', '### Constraints\n- Max 1 MB\n', '**Request:**\n', '**Response:**\n') // biome-ignore format: one line
  const text = fc.array(fc.oneof({ weight: 5, arbitrary: piece }, fc.string({ unit: 'binary', maxLength: 12 })), {
    maxLength: 30,
  })
  await fc.assert(
    fc.asyncProperty(text, fc.boolean(), async (parts, lint) => {
      const { report } = await fromMarkdown(parts.join(''), { lint })
      const lines = parts.join('').split(/\r\n|\n|\r/).length
      expect(report.filter(({ line, code }) => line < 1 || line > lines || code === 'unreadable')).toEqual([])
    }),
    { numRuns: 80 },
  )
})
