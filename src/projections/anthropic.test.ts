import { expect, test } from 'vitest'
import { createFile } from '../toolsets/workspace/create-file.ts'
import { toAnthropicTools } from './anthropic.ts'

const name = 'workspace_create_file'

test('a schema is taken as it is', async () => {
  const { result, losses } = await toAnthropicTools([{ name, functionName: name, tool: createFile }])
  expect(result).toEqual([
    {
      name,
      description: 'Create a new file with specified content',
      input_schema: createFile.contract.input,
      input_examples: [createFile.contract.examples[0]!.input],
    },
  ])
  expect(losses).toEqual([])
})

test('what is projected can be changed without touching the contract', async () => {
  const { result } = await toAnthropicTools([{ name, functionName: name, tool: createFile }])
  result[0]!.input_schema.properties = {}
  expect(createFile.contract.input.properties).toHaveProperty('path')
})

test('examples of the contract become input_examples: those that succeed, few and short', async () => {
  const { examples } = createFile.contract
  const input = { path: 'a.txt', content: 'a' }
  const toInputs = async (some: typeof examples) => {
    const contract = { ...createFile.contract, examples: some }
    const { result } = await toAnthropicTools([
      { name: 'create_file', functionName: 'create_file', tool: { ...createFile, contract } },
    ])
    return result[0]!.input_examples
  }
  expect(await toInputs([])).toBeUndefined()
  expect(await toInputs([{ input, error: 'file_exists' }])).toBeUndefined()
  expect(await toInputs(Array.from({ length: 9 }, () => ({ input })))).toEqual([input, input, input])
  expect(await toInputs([{ input }, { input: { ...input, content: 'x'.repeat(5000) } }])).toEqual([input])
})
