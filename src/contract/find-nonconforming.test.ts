import { expect, onTestFinished, test } from 'vitest'
import { cleanContract } from '../../test/data/clean-contract.ts'
import { openToolpact } from '../app/app.ts'
import type { Contract } from './contract.ts'
import { defineToolset } from './define-toolset.ts'
import { findNonconforming } from './find-nonconforming.ts'

const define = (changes: Parameters<typeof cleanContract>[0], name = 'read_note') => {
  const contract: Contract = cleanContract({ name, ...changes })
  return { contract, run: () => ({ text: 'Tea' }) }
}
const openInput = { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] }
const loose = defineToolset('notes', [define({ input: openInput, effects: {}, examples: [] })], { strict: false })

test.each([
  ['an open input', { input: openInput }, '"/input/additionalProperties" (root-closed)', 'Write additionalProperties: false'],
  ['a free-form output', { output: { type: 'string' } }, '"/output/type" (root-object)', "Write type: 'object'"],
  ['an empty description', { description: '' }, '"/description" (description-says)', 'Describe in a sentence what the tool does'],
])('a tool of a program with %s does not run: the error has the tool, the rule and what to write', async (_what, changes, rule, fix) => {
  const toolsets = [defineToolset('notes', [define({}, 'clean'), define({ ...changes, examples: [] })])]
  const opened = openToolpact({ storage: 'memory', toolsets })
  await expect(opened).rejects.toThrow(`notes.read_note: ${rule}`)
  await expect(opened).rejects.toThrow(fix)
  await expect(opened).rejects.toThrow('{ strict: false }')
  await expect(opened).rejects.not.toThrow('notes.clean')
}) // biome-ignore format: a table

test('names that differ only in case or separators do not conform', async () => {
  const [fault] = await findNonconforming([defineToolset('notes', [define({}), define({}, 'read-note')])])
  expect(fault).toMatch(/^notes\.read-note: "\/name" \(name-unique\)/)
})

test('of many tools that do not conform the first ten are named', async () => {
  const tools = Array.from({ length: 13 }, (_, index) => define({ description: '' }, `tool_${index}`))
  const faults = await findNonconforming([defineToolset('notes', tools)])
  expect(faults).toHaveLength(11)
  expect(faults.at(-1)).toBe('There are 3 more such tools.')
})

test('a toolset that is not strict runs', async () => {
  const toolpact = await openToolpact({ storage: 'memory', toolsets: [loose] })
  onTestFinished(() => toolpact.close())
  expect(await toolpact.call('notes.read_note', { path: 'a', more: 1 })).toMatchObject({ success: true })
})
