import { expect, test } from 'vitest'
import { openRest } from '../../../test/helpers/open-rest.ts'
import { defineTool } from '../../contract/define-tool.ts'
import { defineToolset } from '../../contract/define-toolset.ts'
import type { JsonSchema } from '../../contract/json.ts'

test('a recursive schema with a hostile input is refused, and other callers are served meanwhile', async () => {
  const branch = (name: string) => ({ type: 'object', properties: { n: { $ref: '#/$defs/a' }, [name]: true } })
  const output = { type: 'object', additionalProperties: false } as const
  const input = {
    type: 'object',
    additionalProperties: false,
    properties: { tree: { $ref: '#/$defs/a' } },
    $defs: { a: { anyOf: [branch('x'), branch('y'), branch('z')] } },
  } as unknown as JsonSchema
  const about = { description: 'Takes a tree.', risk: 'read_only' } as const
  const recursive = defineTool({ ...about, name: 'recursive', input, output }, () => ({}))
  const plain = defineTool({ ...about, name: 'plain', input: output, output }, () => ({}))
  const toolsets = [defineToolset('test', [recursive, plain], { strict: false })]
  const { post } = await openRest({ toolsets })
  let tree: unknown = 'no object'
  for (let depth = 0; depth < 60; depth++) tree = { n: tree }
  const hostile = Array.from({ length: 5 }, () => post('test.recursive', { tree }, { authorization: 'Bearer of-eve' }))
  const served = Array.from({ length: 5 }, () => post('test.plain', {}, { authorization: 'Bearer of-ada' }))
  for (const { status } of await Promise.all(served)) expect(status).toBe(200)
  for (const { status, body } of await Promise.all(hostile)) {
    expect(status).toBe(400)
    expect(JSON.stringify(body)).toMatch(/invalid_input.*too many steps.*Send a smaller or flatter value/)
  }
})
