import { expect, test } from 'vitest'
import { defineEcho } from '../../test/open-test-pipeline.ts'
import { toInstructions, toOffer } from './offer.ts'

const entry = (id: string, changes: Parameters<typeof defineEcho>[0] = {}) => {
  const [toolset = '', ...rest] = id.split('.')
  return { id, functionName: id.replaceAll('.', '_'), toolset, tool: defineEcho({ name: rest.join('.'), ...changes }) }
}

test('tools are offered by server and as functions, with one to ask for more', async () => {
  const offer = await toOffer([entry('a.echo'), entry('b.echo'), entry('b.say.twice')])
  expect([...offer.servers].map(([server, tools]) => [server, [...tools]])).toEqual([
    ['a', ['echo']],
    ['b', ['echo', 'say.twice']],
  ])
  expect(offer.tools.map((tool) => tool.function.name)).toEqual(['a_echo', 'b_echo', 'b_say_twice', 'final_answer'])
  expect(offer.fromFunction('b_say_twice')).toEqual({ server: 'b', tool: 'say.twice' })
  expect(offer.fromFunction('final_answer')).toBeUndefined()
  expect(offer.ids).toEqual(['a.echo', 'b.echo', 'b.say.twice'])
})

test('a planned tool is not offered, and none takes the place of final_answer', async () => {
  const offer = await toOffer([entry('final.answer'), entry('a.later', { status: 'planned' }), entry('a.echo')])
  expect(offer.ids).toEqual(['a.echo'])
  expect(offer.tools.map((tool) => tool.function.name)).toEqual(['a_echo', 'final_answer'])
})

test('the digest changes with a contract, and not with the order', async () => {
  const one = await toOffer([entry('a.echo'), entry('b.echo')])
  const turned = await toOffer([entry('b.echo'), entry('a.echo')])
  const other = await toOffer([entry('a.echo'), entry('b.echo', { description: 'Says it otherwise.' })])
  expect(turned.digest).toBe(one.digest)
  expect(other.digest).not.toBe(one.digest)
})

test('without function calling the tools stand in the instructions, one to a line', async () => {
  const offer = await toOffer([entry('a.echo', { description: 'Says a text.\nNo "quotes".' })])
  expect(toInstructions(offer, 'tools').content).not.toContain('Says a text')
  const lines = toInstructions(offer, 'json').content!.split('\n')
  expect(JSON.parse(lines.at(-1)!)).toMatchObject({ server: 'a', tool: 'echo', args: { type: 'object' } })
})
