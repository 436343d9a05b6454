import { expect, test } from 'vitest'
import { makeOffering, openOffering } from '../helpers/open-offering.ts'

const names = [
  'Code review: Größe prüfen',
  'code-review',
  'Code review! Größe prüfen',
  '-dash first',
  'a/b?c=d&e',
  'x'.repeat(300),
  '日本語の要約',
]

test('prompts with names for people are served under safe names that lead back to them', async () => {
  const { entry } = makeOffering('desk', {
    prompts: names.map((name) => ({ name, arguments: [{ name: 'who', required: true }] })),
  })
  const { ask } = await openOffering({ desk: entry })
  const { prompts } = await ask('prompts/list')
  const served = prompts.map(({ name }: { name: string }) => name) as string[]
  expect(served).toHaveLength(names.length)
  expect(new Set(served).size).toBe(names.length)
  for (const name of served) expect(name).toMatch(/^[A-Za-z0-9_-]{1,64}$/)
  expect(served[0]).toMatch(/^Code_review__Gr__e_pr_fen-[0-9a-f]{8}$/)
  expect(served[1]).toBe('code-review')
  expect(prompts[0].title).toBe(names[0])
  for (const [index, name] of served.entries()) {
    const got = await ask('prompts/get', { name, arguments: { who: 'Ada' } })
    expect(JSON.parse(got.messages[0].content.text)).toEqual({ name: names[index], input: { who: 'Ada' } })
    const ref = { type: 'ref/prompt', name }
    const completed = await ask('completion/complete', { ref, argument: { name: 'who', value: 'A' } })
    expect(completed.completion.values).toEqual([`A-${names[index]}`])
  }
})

test('a safe name depends on nothing but the name, so that it stays the same', async () => {
  const list = async (...offered: string[]) => {
    const { entry } = makeOffering('desk', { prompts: offered.map((name) => ({ name })) })
    const { ask } = await openOffering({ desk: entry })
    return (await ask('prompts/list')).prompts.map(({ name }: { name: string }) => name)
  }
  const [alone] = await list(names[0]!)
  expect((await list(names[2]!, names[0]!, 'other')).slice(1)).toEqual([alone, 'other'])
})

test('a server cannot lead the call of one prompt to another, or hide characters in a name', async () => {
  const { entry } = makeOffering('desk', {
    prompts: [
      { name: 'plain', _meta: { 'toolpact/name': 'other' } },
      { name: 'hid\u200bden name' },
      { name: '' },
      { name: 'same name' },
      { name: 'same name', description: 'Another.' },
    ],
  })
  const { ask, toolpact } = await openOffering({ desk: entry })
  const { prompts } = await ask('prompts/list')
  expect(prompts.map(({ name }: { name: string }) => name)).toEqual(['plain'])
  const got = await ask('prompts/get', { name: 'plain' })
  expect(JSON.parse(got.messages[0].content.text).name).toBe('plain')
  const [status] = toolpact.upstreams.look()
  expect(status!.withheld.map(({ reasons }) => reasons[0]!.code)).toEqual([
    'hidden_characters',
    'name_not_usable',
    'name_repeated',
    'name_repeated',
  ])
})
