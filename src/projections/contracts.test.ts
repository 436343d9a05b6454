import { expect, test } from 'vitest'
import { cleanContract } from '../../test/data/clean-contract.ts'
import type { JsonValue } from '../contract/json.ts'
import { toolsets } from '../toolsets/index.ts'
import { fromContractSet, toContractSet } from './contracts.ts'

const contract = cleanContract()
const json = contract as unknown as JsonValue

test('the contracts of every built-in tool are read back as they were written, in the order of their ids', async () => {
  const all = await Promise.all(Object.values(toolsets).map((load) => load()))
  const entries = all.flatMap(({ name, tools }) =>
    tools.filter(({ offer }) => !offer).map((tool) => ({ id: `${name}.${tool.contract.name}`, tool })),
  )
  const written = JSON.stringify(toContractSet(entries))
  expect(JSON.stringify(toContractSet(entries.toReversed()))).toBe(written)
  expect(Object.keys(JSON.parse(written))).toEqual(entries.map(({ id }) => id).sort())
  expect(await fromContractSet(JSON.parse(written))).toEqual(JSON.parse(written))
})

test.each([
  ['by full id', { 'notes.read_note': json }, 'notes.read_note'],
  ['one contract', json, 'read_note'],
  ['a list', [json], 'read_note'],
] as [string, JsonValue, string][])('reads %s', async (_what, value, id) => {
  expect(await fromContractSet(value)).toEqual({ [id]: contract })
})

test('what has a default may be left out', async () => {
  const { name, description, risk, input, output } = contract
  const source = { $schema: 'contract.schema.json', name, description, risk, input, output } as unknown as JsonValue
  expect(await fromContractSet(source)).toMatchObject({
    read_note: { approval: 'never', errors: [], version: '1.0.0' },
  })
})

test('an empty set is a set', async () => {
  expect(await fromContractSet({})).toEqual({})
})

test.each([
  ['text', 'neither an object nor a list'],
  [{ 'notes.read': { ...(json as object), risk: 'none' } }, 'The contract of \'notes.read\' is not valid at "/risk"'],
  [{ 'notes.read': 1 }, "The contract of 'notes.read' is not valid"],
  [[json, json], "two contracts of 'read_note'"],
  [{ openapi: '3.1.0', info: {} }, "The contract of 'openapi' is not valid"],
] as [JsonValue, string][])('refuses %j', async (value, message) => {
  await expect(fromContractSet(value)).rejects.toThrow(message)
})
