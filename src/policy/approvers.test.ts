import { describe, expect, test } from 'vitest'
import { type AnswerTerms, type ApproverEntry, decideAnswerer, toAnswerTerms } from './approvers.ts'

const call = { tool: 'workspace.create_file', risk: 'safe_write', callers: ['agent'] } as const

describe('the first entry that matches a call applies', () => {
  const named = (name: string, entry: ApproverEntry): ApproverEntry => ({ ...entry, who: [name] })
  const whoOf = (approvers: readonly ApproverEntry[], asked = {}) =>
    toAnswerTerms({ approvers }, { ...call, ...asked })?.who

  test.each<[string, ApproverEntry, boolean]>([
    ['neither tools nor risk', {}, true],
    ['its id', { tools: ['workspace.create_file'] }, true],
    ['another id', { tools: ['workspace.create'] }, false],
    ['its toolset', { tools: ['web.fetch', 'workspace.*'] }, true],
    ['a toolset whose name starts alike', { tools: ['work.*'] }, false],
    ['its risk', { risk: ['safe_write', 'dangerous'] }, true],
    ['another risk', { risk: ['dangerous'] }, false],
    ['its tool and another risk', { tools: ['workspace.*'], risk: ['dangerous'] }, false],
    ['another tool and its risk', { tools: ['web.*'], risk: ['safe_write'] }, false],
  ])('%s', (_, entry, applies) => {
    expect(whoOf([named('Ada', entry), named('Bob', {})])).toEqual([applies ? 'Ada' : 'Bob'])
    expect(whoOf([named('Ada', entry)])).toEqual(applies ? ['Ada'] : undefined)
  })

  test('without an entry there are no terms', () => {
    expect(toAnswerTerms({}, call)).toBeUndefined()
  })

  test('groups become names, each once, and an unknown group has none', () => {
    const groups = { ops: ['Ada', 'Bob'], constructor: ['Cy'] }
    const who = ['group:ops', 'Bob', 'Dan', 'group:constructor', 'group:toString']
    expect(toAnswerTerms({ approvers: [{ who }], groups }, call)?.who).toEqual(['Ada', 'Bob', 'Dan', 'Cy'])
  })

  test('the caller and the client may not answer unless the entry says so', () => {
    expect(toAnswerTerms({ approvers: [{}] }, call)).toEqual({ people: 1, callers: ['agent'], clientMayAnswer: false })
    const entry = { callerMayAnswer: true, clientMayAnswer: true, people: 2 }
    expect(toAnswerTerms({ approvers: [entry] }, call)).toEqual({ people: 2, callers: [], clientMayAnswer: true })
  })
})

describe('whether an answer counts', () => {
  const terms: AnswerTerms = { who: ['Ada', 'Bob', 'agent'], people: 1, callers: ['agent'], clientMayAnswer: false }
  const { who, ...anyone } = terms

  test.each<[string, AnswerTerms | undefined, { person: string; via: string }, boolean]>([
    ['a named person', terms, { person: 'Ada', via: 'queue' }, true],
    ['a named person over REST', terms, { person: 'Ada', via: 'rest' }, true],
    ['another person', terms, { person: 'Eve', via: 'console' }, false],
    ['a name that differs in case', terms, { person: 'ada', via: 'console' }, false],
    ['the caller, although named', terms, { person: 'agent', via: 'rest' }, false],
    ['the caller where it may', { ...terms, callers: [] }, { person: 'agent', via: 'rest' }, true],
    ['the client', terms, { person: 'Ada', via: 'elicitation' }, false],
    [
      'the client where it may',
      { ...terms, clientMayAnswer: true },
      { person: 'the user of agent', via: 'elicitation' },
      true,
    ],
    [
      'the client where two people must',
      { ...terms, clientMayAnswer: true, people: 2 },
      { person: 'Ada', via: 'elicitation' },
      false,
    ],
    ['any person where nobody is named', anyone, { person: 'Eve', via: 'terminal' }, true],
    ['the caller where nobody is named', anyone, { person: 'agent', via: 'terminal' }, false],
    ['REST where nobody is named', anyone, { person: 'Eve', via: 'rest' }, false],
    ['any person without terms', undefined, { person: 'Eve', via: 'queue' }, true],
    ['the client without terms', undefined, { person: 'the user of agent', via: 'elicitation' }, true],
    ['REST without terms', undefined, { person: 'Ada', via: 'rest' }, false],
  ])('%s', (_, terms, answerer, counts) => {
    expect(decideAnswerer(terms, answerer) === undefined).toBe(counts)
  })

  test('a refusal names who can answer instead', () => {
    expect(decideAnswerer(terms, { person: 'Eve', via: 'queue' })).toBe(
      'Eve is not among the people who may answer this. One person of these must answer: Ada, Bob.',
    )
    expect(decideAnswerer({ ...anyone, people: 2 }, { person: 'agent', via: 'queue' })).toBe(
      'agent made this call and may not answer the question about it. 2 people other than the caller must answer.',
    )
    expect(decideAnswerer({ ...terms, who: ['agent'] }, { person: 'Eve' })).toMatch(/Nobody may answer it: name people/)
    const many = Array.from({ length: 12 }, (_, index) => `p${index}`)
    expect(decideAnswerer({ ...terms, who: many }, { person: 'Eve' })).toMatch(/p9 or 2 others\.$/)
  })
})
