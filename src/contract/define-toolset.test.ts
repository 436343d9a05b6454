import { expect, test } from 'vitest'
import { defineTool } from './define-tool.ts'
import { defineToolset } from './define-toolset.ts'

const object = { type: 'object', properties: {}, additionalProperties: false } as const

test('a toolset keeps its tools in their order', () => {
  const tools = [toTool('b'), toTool('a')]
  const toolset = defineToolset('notes', tools, { description: 'Notes of a person.' })
  expect(toolset).toEqual({ name: 'notes', description: 'Notes of a person.', tools })
  expect(() => Object.assign(toolset.tools, { 0: tools[1] })).toThrow(TypeError)
})

test('a toolset without a description gets one', () => {
  expect(defineToolset('notes', [toTool('a')]).description).toBe('The tools of notes.')
})

test('two tools with the same name are refused', () => {
  expect(() => defineToolset('notes', [toTool('a'), toTool('b'), toTool('a')])).toThrow("two tools named 'a'")
})

test.each(['', 'a.b', '1a', 'a b', 'a'.repeat(65)])('%j cannot name a toolset', (name) => {
  expect(() => defineToolset(name, [toTool('a')])).toThrow('cannot be the name of a toolset')
})

test('what is not a tool is refused', () => {
  expect(() => defineToolset('notes', [undefined as never])).toThrow('Make tools with defineTool')
})

function toTool(name: string) {
  return defineTool(
    { name, description: 'Does nothing.', risk: 'read_only', input: object, output: object },
    () => ({}),
  )
}
