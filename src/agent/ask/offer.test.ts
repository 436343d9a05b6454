import { expect, test } from 'vitest'
import { defineEcho } from '../../../test/helpers/open-test-pipeline.ts'
import { defineToolset } from '../../contract/define-toolset.ts'
import { createCatalog } from '../../runtime/pipeline/catalog.ts'
import { toInstructions, toOffer } from './offer.ts'

type Changes = Parameters<typeof defineEcho>[0]

/** Offers tools of a catalog, given by their ids. */
async function offerOf(...tools: [id: string, changes?: Changes][]) {
  const sets = Map.groupBy(tools, ([id]) => id.slice(0, id.indexOf('.')))
  const loaders = [...sets].map(([name, group]) => {
    const defined = group.map(([id, changes]) => defineEcho({ name: id.slice(name.length + 1), ...changes }))
    return [name, async () => defineToolset(name, defined)] as const
  })
  const catalog = createCatalog(Object.fromEntries(loaders))
  return toOffer(await catalog.all(), { catalog })
}

const functionsOf = (offer: Awaited<ReturnType<typeof offerOf>>) => offer.tools.map((tool) => tool.function.name)

test('tools are offered by server and as functions, with one to ask for more', async () => {
  const offer = await offerOf(['a.echo'], ['b.echo'], ['b.say.twice'])
  expect([...offer.servers].map(([server, tools]) => [server, [...tools]])).toEqual([
    ['a', ['echo']],
    ['b', ['echo', 'say.twice']],
  ])
  expect(functionsOf(offer)).toEqual(['a_echo', 'b_echo', 'say_twice', 'final_answer'])
  expect(offer.fromFunction('say_twice')).toEqual({ server: 'b', tool: 'say.twice' })
  expect(offer.fromFunction('final_answer')).toBeUndefined()
  expect(offer.ids).toEqual(['a.echo', 'b.echo', 'b.say.twice'])
})

test('a bare name is offered where it means one tool, and the listed name is understood as well', async () => {
  const offer = await offerOf(['a.create_file'], ['a.b_c'], ['b.a_create_file'], ['b.read'], ['a.read'])
  const names = ['create_file', 'b_c', 'b_a_create_file', 'b_read', 'a_read']
  expect(new Set(functionsOf(offer))).toEqual(new Set([...names, 'final_answer']))
  expect(offer.fromFunction('a_create_file')).toEqual({ server: 'a', tool: 'create_file' })
  expect(offer.fromFunction('b_a_create_file')).toEqual({ server: 'b', tool: 'a_create_file' })
})

test('a planned tool is not offered, and none takes the place of final_answer', async () => {
  const offer = await offerOf(['final.answer'], ['a.final_answer'], ['a.later', { status: 'planned' }], ['a.echo'])
  expect(new Set(functionsOf(offer))).toEqual(new Set(['answer', 'a_final_answer', 'echo', 'final_answer']))
  expect(offer.ids).not.toContain('a.later')
})

test('the digest changes with a contract, and not with the order', async () => {
  const one = await offerOf(['a.echo'], ['b.echo'])
  const turned = await offerOf(['b.echo'], ['a.echo'])
  const other = await offerOf(['a.echo'], ['b.echo', { description: 'Says it otherwise.' }])
  expect(turned.digest).toBe(one.digest)
  expect(other.digest).not.toBe(one.digest)
})

test('without function calling the instructions list the tools, one per line', async () => {
  const offer = await offerOf(['a.echo', { description: 'Says a text.\nNo "quotes".' }])
  expect(toInstructions(offer, 'tools').content).not.toContain('Says a text')
  const lines = toInstructions(offer, 'json').content!.split('\n')
  expect(JSON.parse(lines.at(-1)!)).toMatchObject({ server: 'a', tool: 'echo', args: { type: 'object' } })
})
