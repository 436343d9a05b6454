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
    },
  ])
  expect(losses).toEqual([])
})

test('what is projected can be changed without touching the contract', async () => {
  const { result } = await toAnthropicTools([{ name, functionName: name, tool: createFile }])
  result[0]!.input_schema.properties = {}
  expect(createFile.contract.input.properties).toHaveProperty('path')
})
