import { readdirSync } from 'node:fs'
import { expect } from 'vitest'
import { openRepository } from '../open-repository.ts'
import { learningOs } from './learning-os.ts'
import { callOverMcp, openStatements, readContracts } from './statements.ts'

const { statement, contracts } = openStatements(learningOs)
const hello = 'learning.hello'
const open = (files: { [path: string]: string | Uint8Array } = {}) => openRepository('learning', { files })

const parts: [id: string, part: { readonly name: string; readonly like: unknown }][] = [
  ['A1', { name: 'name', like: expect.stringMatching(/^\w+$/) }],
  ['A2', { name: 'description', like: expect.stringMatching(/^\w.+\.$/) }],
  ['A3', { name: 'input', like: expect.objectContaining({ type: 'object', properties: expect.anything() }) }],
  ['A4', { name: 'output', like: expect.objectContaining({ type: 'object', properties: expect.anything() }) }],
  ['A5', { name: 'constraints', like: expect.arrayContaining([expect.any(String)]) }],
]
for (const [id, { name, like }] of parts)
  statement(id, async () => {
    const found = await readContracts('learning')
    expect(found).toHaveLength(3)
    for (const contract of found) expect(contract).toMatchObject({ [name]: like })
  })

contracts([
  ['A8', { tool: hello, at: '/input/properties/name', is: { type: 'string', description: 'Name to greet' } }],
  ['A9', { tool: hello, at: '/input/properties/name/maxLength', is: 100 }],
  ['A10', { tool: hello, at: '/input/required', is: ['name'] }],
  ['A11', { tool: hello, at: '/output/properties/greeting/type', is: 'string' }],
  ['A14', { tool: hello, at: '/constraints/2', is: 'For testing only' }],
])

statement('A6', async () => {
  const { call } = await open()
  expect(await call('hello', { name: 'Ada' })).toMatchObject({ success: true, output: { greeting: 'Hello, Ada!' } })
})

statement('A7', async () => {
  const answer = await callOverMcp('learning', 'hello', { name: 'Ada' })
  expect(answer).toMatchObject({ structuredContent: { greeting: 'Hello, Ada!' } })
})

statement('A12', async () => {
  const { call, root, asked } = await open()
  await call('hello', { name: 'Ada' })
  expect(asked).toEqual([])
  expect(readdirSync(root)).toEqual([])
})

statement('A13', async () => {
  const { call } = await open()
  for (const name of ['', 'Ada\nLovelace', '{{name}}', '🙂'.repeat(100)])
    expect(await call('hello', { name }), name).toMatchObject({ success: true })
})
