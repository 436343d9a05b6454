import { expect, test } from 'vitest'
import type { JsonSchema } from '../../contract/json.ts'
import { type ComparedTool, diffOverlays } from './diff-locked-tools.ts'

const withOverlay = (output?: JsonSchema) => ({ ...(output && { overlay: { output } }) }) as ComparedTool
const text: JsonSchema = { type: 'object', properties: { x: { type: 'string' } } }
const number: JsonSchema = { type: 'object', properties: { x: { type: 'number' } } }

test('an attached output schema that goes breaks, and one that comes does not', () => {
  expect(diffOverlays(withOverlay(text), withOverlay())).toMatchObject([
    { breaking: true, message: expect.stringMatching(/gone/) },
  ])
  expect(diffOverlays(withOverlay(), withOverlay(text))).toMatchObject([
    { breaking: false, message: expect.stringMatching(/attached/) },
  ])
  expect(diffOverlays(withOverlay(), withOverlay())).toEqual([])
  expect(diffOverlays(withOverlay(text), withOverlay(text))).toEqual([])
})

test('a change within it is reported with its path', () => {
  const [change] = diffOverlays(withOverlay(text), withOverlay(number))
  expect(change).toMatchObject({ breaking: true })
  expect(change!.pointer).toMatch(/^\/overlay\/output\/properties\/x/)
})
