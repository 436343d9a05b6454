import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { openScriptedModel } from '../../../test/helpers/scripted-model.ts'
import { openToolpact } from '../../app/app.ts'
import type { CallSuccess } from '../../contract/call-result.ts'
import { run } from './clean-by-rules.ts'
import { renderTurns } from './clean-transcript.ts'
import { verify } from './model/verify.ts'
import { readTranscript } from './read/read-transcript.ts'
import { languages } from './rules/languages.ts'
import { toPassage, toText } from './words.ts'

/** Words of several languages. Those in `kept`, among them no articles, must come out as often as they went in, in the same order. */
const tongues = [
  {
    kept: "not never no don't nothing without five twenty 3.5 -7 50% $10 2026 10:30 COVID-19 Ada Berlin O'Neil NASA",
    other: 'um uh the the and i i think you know we went home so like well sort of a lot actually um er hmm th- the',
  },
  {
    kept: 'nicht nie kein nein ohne nichts drei zwölf 1.000 8 Müller Köln Österreich',
    other: 'äh ähm ich ich und und wir gehen um er die das sozusagen also halt hm dann dann',
  },
  {
    kept: "ne pas jamais rien sans n'est non deux cent 42 3,5 Élodie Paris",
    other: "euh je je que que le nous nous hein bon en fait c'est c'est vrai heu",
  },
  {
    kept: 'no nunca nada sin ni tampoco tres mil 7 José Perú',
    other: 'eh yo yo que que el la o sea pues bueno es es verdad este',
  },
  {
    kept: 'non mai niente né senza due mille 9 Luca Roma',
    other: 'ehm io io che che il cioè allora è è vero eh insomma',
  },
  {
    kept: 'niet geen nooit niets zonder twee zes 12 Sanne Zwolle',
    other: 'eh uhm ik ik en en we gaan naar huis dat dat is zeg maar weet je een een dus',
  },
  {
    kept: 'नहीं मत बिना दो तीन 15',
    other: 'अं उम मैं मैं और घर में में है हम्म मतलब धीरे धीरे क्योंकि कि कि',
  },
  {
    kept: 'não nunca nada sem nem quatro dois 11 João Brasil',
    other: 'hmm eu eu que que o né tipo é é verdade então',
  },
].map(({ kept, other }) => ({ kept: kept.split(' '), other: other.split(' ') }))

const gap = fc.constantFrom(' ', ' ', ' ', ', ', '. ', '? ', '\n', ' – ')
const spoken = fc.constantFrom(...tongues).chain(({ kept, other }) => {
  const word = fc.oneof({ weight: 2, arbitrary: fc.constantFrom(...other) }, fc.constantFrom(...kept))
  const words = fc.array(fc.tuple(word, gap), { minLength: 1, maxLength: 60 })
  const keepable = new Set(kept.map(fold))
  /** Numbers, names and negations of a text, in order. */
  const findKept = (text: string) =>
    text
      .split(/[\s,?!–]+/)
      .map(fold)
      .filter((found) => keepable.has(found))
  return words.map((parts) => ({ text: parts.flat().join(''), findKept }))
})

function fold(word: string): string {
  return word
    .replace(/^["'(]+|[."')]+$/g, '')
    .toLowerCase()
    .replaceAll('’', "'")
}

function cleanByRulesAlone(text: string): string {
  return renderTurns(run(text).turns)
}

const asSrt = (text: string) =>
  text
    .split('\n')
    .map((line, index) => `${index + 1}\n00:00:${String(index).padStart(2, '0')},000 --> 00:00:59,000\n${line}\n`)
    .join('\n')

test('rules lose no number, name or negation', () => {
  fc.assert(
    fc.property(spoken, fc.boolean(), ({ text, findKept }, isSrt) => {
      // A line that is only a number could be a cue number.
      const source = isSrt ? asSrt(text.replace(/\n(?=[\s\d])/g, ' ')) : text
      const kept = findKept(
        isSrt
          ? text
          : readTranscript(text)
              .turns.map((turn) => turn.text)
              .join(' '),
      )
      const cleaned = cleanByRulesAlone(source)
      if (/\p{L}|\p{N}/u.test(cleaned)) expect(findKept(cleaned)).toEqual(kept)
      else expect(kept).toEqual([])
    }),
    { numRuns: 400 },
  )
})

/** Fluent words of several languages, none of which is a filler, doubled or the beginning of the next. */
const clear = [
  'gardens winter kitchen bridge Oslo seven never paper',
  'Garten Winter Küche Brücke Oslo sieben nie Papier',
  'jardins hiver cuisine pont Oslo sept jamais papier',
].map((words) => words.split(' '))

test('text without slips stays as it is, whatever its punctuation', () => {
  const marks = fc.constantFrom(' ', ', ', '. ', ' — ', '... ', '; ')
  const text = fc.constantFrom(...clear).chain((words) => {
    const order = fc.shuffledSubarray(words, { minLength: 2 })
    return fc.tuple(order, fc.array(marks, { minLength: words.length, maxLength: words.length }))
  })
  fc.assert(
    fc.property(text, ([words, gaps]) => {
      const said = words.map((word, index) => word + (index === words.length - 1 ? '.' : gaps[index]!)).join('')
      expect(cleanByRulesAlone(said)).toBe(said)
    }),
    { numRuns: 300 },
  )
})

test('cleaning a cleaned text changes nothing', () => {
  fc.assert(
    fc.property(spoken, ({ text }) => {
      const cleaned = cleanByRulesAlone(text)
      expect(cleanByRulesAlone(cleaned)).toBe(cleaned)
    }),
    { numRuns: 400 },
  )
})

test('every turn keeps its speaker, in order', () => {
  const speaker = fc.constantFrom('Ada:', 'Dr. Bob King:', '[Speaker 2]:')
  fc.assert(
    fc.property(fc.array(fc.tuple(speaker, spoken), { minLength: 1, maxLength: 6 }), (turns) => {
      const text = turns.map(([label, { text: said }]) => `${label} ${said.replaceAll('\n', ' ')}`).join('\n')
      const labels = (source: string) => source.match(/^(?:Ada|Dr\. Bob King|\[Speaker 2\]):/gm)
      expect(labels(cleanByRulesAlone(text))).toEqual(labels(text))
    }),
    { numRuns: 200 },
  )
})

/** Mutations that a model might make: drop, add, change or move words, change punctuation and lines. */
const damage = fc.array(
  fc.record({
    what: fc.constantFrom('delete', 'delete', 'add', 'replace', 'swap', 'case', 'mark', 'cut', 'double'),
    at: fc.double({ min: 0, max: 0.999, noNaN: true }),
    word: fc.constantFrom('not', 'maybe', '7', 'Zoe', 'the', '\u202ex', '**', 'Bob:', '\n', '. Also', ''),
  }),
  { maxLength: 5 },
)

function harm(text: string, changes: readonly { what: string; at: number; word: string }[]): string {
  const words = text.split(' ')
  for (const { what, at, word } of changes) {
    const index = Math.floor(at * words.length)
    const here = words[index] ?? ''
    if (what === 'delete') words.splice(index, 1)
    else if (what === 'add') words.splice(index, 0, word)
    else if (what === 'replace') words[index] = word
    else if (what === 'swap') words.splice(index, 2, words[index + 1] ?? '', here)
    else if (what === 'case') words[index] = here === here.toLowerCase() ? here.toUpperCase() : here.toLowerCase()
    else if (what === 'mark') words[index] = `${here},`
    else if (what === 'cut') words.splice(index)
    else words.splice(index, 0, here)
  }
  return words.join(' ')
}

test('for any answer of a model, an accepted result contains only original words in order, and all protected ones', () => {
  let passed = 0
  fc.assert(
    fc.property(spoken, damage, fc.constantFrom(undefined, ...languages), ({ text, findKept }, changes, language) => {
      const said = toPassage(text.replaceAll('\n', ' '))
      const verdict = verify(said, harm(toText(said), changes), language)
      if (!verdict.ok) return
      passed++
      const made = toText(verdict.passage)
      expect(findKept(made)).toEqual(findKept(toText(said)))
      // Each word is from the original, in order.
      let at = 0
      for (const { key } of toPassage(made).words) {
        while (at < said.words.length && said.words[at]!.key !== key) at++
        expect(at++, made).toBeLessThan(said.words.length)
      }
      expect(made).not.toMatch(/[\n*\u202e]|:\s/u)
    }),
    { numRuns: 1500 },
  )
  expect(passed).toBeGreaterThan(300)
})

type Spoken = typeof spoken extends fc.Arbitrary<infer Value> ? Value : never

test('with a model that corrupts every text, everything protected is kept', async () => {
  let next = 0
  const harms = fc.sample(damage, 200)
  await using server = await openScriptedModel(({ said }) => {
    const lines = said.at(-1)!.content.split('\n[end of')[0]!.split('\n').slice(1)
    return harm(lines.join('\n'), harms[next++ % harms.length]!) || 'nothing'
  })
  const config = { model: { url: server.url, model: 'scripted' } }
  const toolpact = await openToolpact({ storage: 'memory', toolsets: ['transcript-clean'], config })
  onTestFinished(() => toolpact.close())
  const check = async ({ text, findKept }: Spoken) => {
    const result = (await toolpact.call('transcript.clean', { text })) as CallSuccess
    expect(result.success).toBe(true)
    const kept = findKept(
      readTranscript(text)
        .turns.map((turn) => turn.text)
        .join(' '),
    )
    expect(findKept(String(result.output.clean_text))).toEqual(kept)
  }
  await fc.assert(fc.asyncProperty(spoken, check), { numRuns: 60 })
})
