import { expect, test } from 'vitest'
import { createFile } from '../toolsets/workspace/create-file.ts'
import { toGeminiTools } from './gemini.ts'

test('the functions are in one element, each with its schema unchanged', async () => {
  const name = 'workspace_create_file'
  const { result, losses } = await toGeminiTools([{ name, functionName: name, tool: createFile }])
  const description = 'Create a new file with specified content'
  const { input } = createFile.contract
  expect(result).toEqual([{ functionDeclarations: [{ name, description, parametersJsonSchema: input }] }])
  expect(losses).toEqual([])
})
