import { toSummaryMessages } from '../../src/agent/ask/summarize.ts'
import { toSourceText } from '../../src/agent/grounding/source-text.ts'
import { benignBullets } from './summaries-benign.ts'
import type { HandMade } from './summaries-hostile.ts'
import { type SourceName, sources } from './summary-sources.ts'

interface Bullet {
  readonly source: SourceName
  readonly claim: string
  readonly evidence: string
}

type Change = (bullet: Bullet, index: number) => Partial<Bullet> | undefined

/** True bullets made false, each in every way that it can be. None may pass. */
export function generateHostileBullets(): HandMade[] {
  return Object.entries(changes).flatMap(([kind, change]) =>
    benignBullets.flatMap(([source, claim, evidence], index): HandMade[] => {
      const bullet = { source, claim, evidence }
      const changed = change(bullet, index)
      const made = { ...bullet, ...changed }
      const isOther = changed && (made.claim !== claim || made.evidence !== evidence)
      return isOther ? [[`${kind} (made)`, made.source, made.claim, made.evidence]] : []
    }),
  )
}

/** Words that deny in these sources, with what is left without them. */
const denials: readonly (readonly [RegExp, string])[] = [
  [/ (?:not|never|no|nicht|niet|nie|non|не)(?= )/u, ''],
  [/n't /, ' '],
  [/^No /, 'An '],
  [/(?<=In 2024 )nobody/, 'somebody'],
  [/n'(est) pas/, '$1'],
  [/ no será/, ' será'],
  [/ ne (\p{L}+) jamais/u, ' $1'],
  [/\bunsafe\b/, 'safe'],
  [/なかった/, 'た'],
  [/没有/, ''],
  [/^لم /, ''],
]

const changes: { readonly [kind: string]: Change } = {
  'negation dropped': ({ claim }) => {
    const found = denials.find(([expression]) => expression.test(claim))
    return found && { claim: claim.replace(...found) }
  },
  'negation added': ({ claim }) => ({
    claim: claim.replace(/ (is|was|are|will|has|wird|wurde|est|será) (?!not|no |pas)/, ' $1 not '),
  }),
  'number changed': ({ claim }) => ({
    claim: claim.replace(/\d(?=\D*$)/, (digit) => String((Number(digit) + 1) % 10)),
  }),
  'number multiplied': ({ claim }) => ({ claim: claim.replace(/\d+(?![\d.,]*\d)(?![-.]\d)(?= |\.$)/, '$&7') }),
  'number added': ({ claim }) => ({ claim: `${claim} It cost 77 dollars.` }),
  'name changed': ({ claim }) => ({ claim: claim.replace(/(?<=\p{Ll} )\p{Lu}\p{Ll}{2,}/u, 'Zanzibar') }),
  'name added': ({ claim }) => ({ claim: `Zanzibar: ${claim}` }),
  'date added': ({ claim }) => ({ claim: `${claim.replace(/\.$/, '')} on 1 January 1999.` }),
  'look-alike in the claim': ({ claim }) => ({ claim: claim.replace(/(?<=[a-z])[oae](?=[a-z])/, toLookAlike) }),
  'look-alike in the quote': ({ evidence }) => ({
    evidence: evidence.replace(/(?<=[a-z])[oae](?=[a-z])/, toLookAlike),
  }),
  'hidden in the claim': ({ claim }) => ({ claim: `${claim.slice(0, 3)}\u200b${claim.slice(3)}` }),
  'hidden in the quote': ({ evidence }) => ({ evidence: `${evidence.slice(0, 3)}\u2060${evidence.slice(3)}` }),
  'quote spliced': ({ evidence }) => {
    const words = evidence.split(' ')
    return words.length < 5 ? undefined : { evidence: [...words.slice(0, 2), '…', ...words.slice(-2)].join(' ') }
  },
  'word left out': ({ evidence }) => {
    const words = evidence.split(' ')
    return words.length < 4 ? undefined : { evidence: words.toSpliced(words.length >> 1, 1).join(' ') }
  },
  'word replaced': ({ evidence }) => ({ evidence: evidence.replace(/\p{L}{4,}/u, 'something') }),
  'words exchanged': ({ evidence }) => ({ evidence: evidence.replace(/^(\S+) (\S+)/, '$2 $1') }),
  'quote cut in a word': ({ evidence }) =>
    /^[a-zà-ÿ]{3}/i.test(evidence) ? { evidence: evidence.slice(1) } : undefined,
  'quote run on': ({ source, evidence }) => {
    const { text, passages } = toSourceText(sources[source])
    const at = text.indexOf(evidence)
    const field = passages.findIndex(({ start, end }) => start <= at && at < end)
    const next = passages[field + 1]
    return next && { evidence: text.slice(at, next.end).slice(0, 900) }
  },
  'quote of the task': () => ({ evidence: toSummaryMessages('')[0]!.content!.split('\n')[0]! }),
  'quote of elsewhere': ({ source }, index) => {
    const other = benignBullets.find(([name], place) => place > index % 20 && name !== source)!
    return { evidence: other[2] }
  },
}

function toLookAlike(letter: string): string {
  return { o: 'о', a: 'а', e: 'е' }[letter]!
}
