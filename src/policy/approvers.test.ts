import { describe, expect, test } from 'vitest'
import {
  type Answerer,
  type AnswerTerms,
  type ApproverEntry,
  decideAnswerer,
  findGroups,
  toAnswerTerms,
} from './approvers.ts'

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

  test('groups become names, each once, and stay groups for people whose issuer knows theirs', () => {
    const groups = { ops: ['Ada', 'Bob'], constructor: ['Cy'] }
    const who = ['group:ops', 'Bob', 'Dan', 'group:constructor', 'group:toString', 'group:ops']
    expect(toAnswerTerms({ approvers: [{ who }], groups }, call)).toMatchObject({
      who: ['Ada', 'Bob', 'Dan', 'Cy'],
      groups: ['ops', 'constructor', 'toString'],
    })
    expect(toAnswerTerms({ approvers: [{ who: ['Ada'] }] }, call)).not.toHaveProperty('groups')
    expect(toAnswerTerms({ approvers: [{}] }, call)).not.toHaveProperty('groups')
  })

  test('who made the call is known by issuer and subject, unless the caller may answer', () => {
    const principal = { issuer: 'https://id.example', subject: '7' }
    expect(toAnswerTerms({ approvers: [{}] }, { ...call, principal })).toMatchObject({ principal })
    const entry = { callerMayAnswer: true }
    expect(toAnswerTerms({ approvers: [entry] }, { ...call, principal })).not.toHaveProperty('principal')
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

  const issuer = 'https://id.example'
  const signedIn = { person: 'Eve', via: 'console', issuer, subject: '7', groups: ['dev', 'ops'] }
  const ops: AnswerTerms = { who: ['Ada'], groups: ['ops'], people: 1, callers: ['agent'], clientMayAnswer: false }

  test.each<[string, AnswerTerms, Answerer, boolean]>([
    ['a member of the group', ops, signedIn, true],
    ['a member of another group', ops, { ...signedIn, groups: ['dev'] }, false],
    ['someone without groups', ops, { person: 'Eve', via: 'console' }, false],
    ['someone who is named like the group', ops, { person: 'group:ops', via: 'console', groups: [] }, false],
    ['a person who is named, without the group', ops, { ...signedIn, person: 'Ada', groups: [] }, true],
    ['a member who made the call under another name', { ...ops, principal: { issuer, subject: '7' } }, signedIn, false],
    ['a member with the subject of the caller at another issuer', { ...ops, principal: { issuer: 'https://other.example', subject: '7' } }, signedIn, true], // biome-ignore format: one line
    ['a member of the issuer of the caller', { ...ops, principal: { issuer, subject: '8' } }, signedIn, true],
  ])('%s', (_, terms, answerer, counts) => {
    expect(decideAnswerer(terms, answerer) === undefined).toBe(counts)
  })

  test('a refusal names the groups that can answer', () => {
    expect(decideAnswerer(ops, { person: 'Eve', via: 'console' })).toBe(
      'Eve is not among the people who may answer this. One person of these must answer: Ada, the group ops.',
    )
    expect(findGroups(ops, signedIn)).toEqual(['ops'])
    expect(findGroups(undefined, signedIn)).toEqual([])
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
