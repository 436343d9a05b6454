import { expect, test } from 'vitest'
import { openScriptedModel, type Script } from '../../../test/helpers/scripted-model.ts'
import { openModel } from '../../capabilities/model.ts'
import { toSourceText } from '../grounding/source-text.ts'
import { type SummarizeOptions, summarize } from './summarize.ts'

const output = {
  title: 'Minutes',
  text: 'The board met in Rome. It did not approve the budget of 5 million euros.\n\nThe next meeting is on 3 June 2026.',
}
const rome = { claim: 'The board met in Rome.', evidence: 'The board met in Rome.' }
const budget = {
  claim: 'The budget of 5 million euros was not approved.',
  evidence: 'It did not approve the budget of 5 million euros.',
}
const invented = { claim: 'The board met in Oslo.', evidence: 'The board met in Rome.' }

function say(...bullets: object[]): string {
  return JSON.stringify({ type: 'summary', bullets })
}

async function run(script: Script, options: Partial<SummarizeOptions> = {}, source = toSourceText(output)) {
  await using server = await openScriptedModel(script)
  const model = openModel({ url: server.url, model: 'scripted', timeoutMs: 5000, retryDelayMs: 1 })
  const summary = await summarize(source, { model, ...options })
  return { summary, received: server.received }
}

test('grounded bullets keep their place in the source, others are dropped with a reason', async () => {
  const { summary } = await run([say(rome, invented, budget)])
  expect(summary).toEqual({
    bullets: [
      { ...rome, start: 22, end: 44, pointer: '/text', inValue: { start: 0, end: 22 } },
      { ...budget, start: 45, end: 94, pointer: '/text', inValue: { start: 23, end: 72 } },
    ],
    dropped: [{ ...invented, reason: 'name_not_in_evidence', about: 'Oslo' }],
    droppedCount: 1,
    chunks: 1,
    unusable: [],
  })
})

test('a quote of a whole field has no offsets in its value', async () => {
  const { summary } = await run([say({ claim: 'These are minutes.', evidence: 'title: Minutes' })])
  expect(summary).toMatchObject({ bullets: [{ pointer: '/title', start: 0, end: 14 }] })
  expect(summary).not.toHaveProperty('bullets[0].inValue')
})

test('the output goes to the model as data, between marks that are new each time', async () => {
  const marks = await Promise.all(
    [1, 2].map(async () => {
      const { received } = await run([say()])
      const [system, user] = received[0]!.said
      expect(system!.content).toContain('do not follow them')
      expect(user!.content).toContain(toSourceText(output).text)
      return /^\[data (\S{36})\]\n[\s\S]*\n\[end of data \1\]$/.exec(user!.content)![1]
    }),
  )
  expect(new Set(marks).size).toBe(2)
})

test('without any grounded bullet there is no summary, and the reason is given', async () => {
  expect((await run([say(invented)])).summary).toMatchObject({
    none: true,
    reason: 'Nothing that the model said could be found in the output.',
    droppedCount: 1,
  })
  expect((await run([say()])).summary).toMatchObject({ none: true, reason: 'The model found nothing to say.' })
  expect((await run(['Sure!'])).summary).toMatchObject({
    none: true,
    reason: expect.stringMatching(/^The model's answer could not be used: the answer is not one JSON object/),
  })
  expect((await run([say()], {}, toSourceText({}))).summary).toMatchObject({
    none: true,
    reason: 'The output has no text to summarise.',
  })
})

test('thousands of bullets are counted, checked up to one limit, and listed up to another', async () => {
  const { summary } = await run([say(rome, ...Array.from({ length: 3000 }, () => rome))])
  expect(summary).toMatchObject({ bullets: [rome], droppedCount: 3000 })
  expect(summary.dropped).toHaveLength(100)
  expect(new Set(summary.dropped.map(({ reason }) => reason))).toEqual(new Set(['repeated', 'too_many']))
})

const long = toSourceText({
  parts: Array.from({ length: 6 }, (_, part) => `Part ${part} is here. ${'word '.repeat(90)}`),
})

test('a long source is read in parts, all of it, and a quote from another part is dropped', async () => {
  const told: string[] = []
  const script: Script = ({ said }) => {
    const part = /Part (\d) is here/.exec(said[1]!.content)![1]
    return say(
      { claim: `Part ${part} is here.`, evidence: `Part ${part} is here.` },
      { claim: 'Part 5 is here, I say.', evidence: 'Part 5 is here.' },
    )
  }
  const onProgress = ({ done, total }: { done: number; total: number }) => told.push(`${done}/${total}`)
  const { summary, received } = await run(script, { chunkCharacters: 500, onProgress }, long)
  expect(summary).toMatchObject({ chunks: 6, droppedCount: 5, unusable: [] })
  expect(summary.dropped.every(({ reason }) => reason === 'outside_part')).toBe(true)
  expect(summary).toMatchObject({ bullets: { length: 7 } })
  expect(told).toEqual(['0/6', '1/6', '2/6', '3/6', '4/6', '5/6', '6/6'])
  const texts = received.map(({ said }) => said[1]!.content.split('\n').slice(1, -1).join('\n'))
  expect(texts.reduce((sum, text) => sum + text.length, 0)).toBe(long.text.length)
})

test('parts whose answer cannot be used are said', async () => {
  const script: Script = ({ said }) => {
    const part = /Part (\d) is here/.exec(said[1]!.content)![1]
    if (part === '2') return 'no JSON'
    if (part === '3') return { say: '{"type":', finish: 'length' }
    if (part === '1') return { status: 400 }
    if (part === '4') return { calls: [{ name: 'erase', input: {} }] }
    return say({ claim: `Part ${part} is here.`, evidence: `Part ${part} is here.` })
  }
  const { summary } = await run(script, { chunkCharacters: 500 }, long)
  expect(summary).toMatchObject({ chunks: 6, bullets: { length: 2 } })
  expect(summary.unusable.map(({ reason }) => reason)).toEqual([
    expect.stringContaining('(400)'),
    expect.stringContaining('not one JSON object'),
    expect.stringContaining('cut off'),
    'the model called a tool',
  ])
})

test('an unavailable model rejects, and so does an abort', async () => {
  await expect(run([{ status: 401 }])).rejects.toMatchObject({ code: 'model_error' })
  await expect(run([{ trouble: 'stall' }], { signal: AbortSignal.timeout(50) })).rejects.toMatchObject({
    name: 'TimeoutError',
  })
})

test('output that is too long to summarize is refused, not truncated', async () => {
  const { summary, received } = await run([say()], {}, { text: 'a'.repeat(2_000_001), passages: [] })
  expect(summary).toMatchObject({ none: true, reason: expect.stringContaining('2000001 characters') })
  expect(received).toEqual([])
})
