import { expect, test } from 'vitest'
import { toCall, toRule } from '../../test/helpers/rule-calls.ts'
import type { Effects } from '../contract/contract.ts'
import type { JsonObject } from '../contract/json.ts'
import { type DataFlow, sendsOut, toReceivers } from './data-flow.ts'
import { decide, type Policy } from './decide.ts'
import { compileRules } from './rules/compile-rules.ts'

interface Session {
  readonly private?: string[]
  readonly untrusted?: string[]
  readonly allowed?: string[]
}

const fetches: Effects = { fetches: ['url'] }

function toFlow({ private: own = [], untrusted = [], allowed = [] }: Session): DataFlow {
  return { who: 'This session', taken: { private: own, untrusted }, allowed: new Set(allowed) }
}

/** Decides about a call that its contract allows, in a session that has taken something in. */
function decideIn(
  session: Session,
  url: string,
  { policy = {}, effects = fetches }: { policy?: Policy; effects?: Effects } = {},
) {
  const call = toCall({ url }, effects, { flow: toFlow(session) })
  return decide({ ...call, contract: { ...call.contract, approval: 'never' } }, policy)
}

test('a session that has read nothing sends without a question', () => {
  expect(decideIn({}, 'https://a.example/')).toMatchObject({ action: 'allow', rule: 'contract' })
})

test.each<[Session, string]>([
  [
    { private: ['.env', 'notes.md'] },
    'This session read private data (.env, notes.md); this call sends data to a.example,',
  ],
  [{ untrusted: ['b.example'] }, 'This session took in text that others wrote (b.example); this call'],
  [{ private: ['.env'], untrusted: ['b.example'] }, 'read private data (.env) and took in text that others wrote'],
])('a session that has taken in %j asks before it sends', (session, reason) => {
  const decision = decideIn(session, 'https://a.example/page')
  expect(decision).toMatchObject({ action: 'ask', rule: 'data-flow', reason: expect.stringContaining(reason) })
})

test.each([
  ['https://a.example', 'https://a.example/page', 'allow'],
  ['http://a.example', 'https://a.example/page', 'allow'],
  ['https://a.example', 'http://a.example/page', 'ask'],
  ['https://a.example', 'https://a.example:8443/page', 'ask'],
  ['http://a.example:8443', 'https://a.example:8443/page', 'ask'],
  ['https://a.example', 'https://sub.a.example/page', 'ask'],
])('a yes to %s means for %s: %s', (allowed, url, action) => {
  expect(decideIn({ private: ['.env'], allowed: [allowed] }, url)).toMatchObject({ action })
})

test('a rule that allows any page of a host allows the host, and a rule for one page does not', async () => {
  const decideBy = async (pattern: string, url: string) =>
    decideIn({ private: ['.env'] }, url, { policy: { rules: await compileRules([toRule(pattern)]) } })
  const anyPage = String.raw`{"url":"https://a\.example/.*"}`
  expect(await decideBy(anyPage, 'https://a.example/page')).toMatchObject({ action: 'allow' })
  expect(await decideBy(anyPage, 'https://a.example')).toMatchObject({ action: 'allow' })
  expect(await decideBy(anyPage, 'https://b.example/page')).toMatchObject({ action: 'ask' })
  const onePage = String.raw`{"url":"https://a\.example/page"}`
  expect(await decideBy(onePage, 'https://a.example/other')).toMatchObject({ action: 'ask', rule: 'data-flow' })
})

test('a long receiver is shortened in the question', () => {
  const shown = (length: number) => decideIn({ private: ['.env'] }, 'x'.repeat(length), { effects: { sends: ['url'] } })
  expect(shown(100).reason).toContain(`${'x'.repeat(100)}, which`)
  expect(shown(101).reason).toContain(`${'x'.repeat(99)}…, which`)
})

test.each<[Effects, boolean]>([
  [{}, false],
  [{ reads: ['path'] }, false],
  [fetches, true],
  [{ sends: ['to'] }, true],
  [{ sendsTo: ['operator'] }, false],
  [{ sendsTo: ['operator', 'api.example'] }, true],
])('a call with the effects %j sends out: %s', (effects, sends) => {
  expect(sendsOut(effects)).toBe(sends)
})

test.each<[JsonObject, Effects, string[]]>([
  [{ url: 'https://a.example:8443/b?c' }, fetches, ['https://a.example:8443']],
  [
    { url: ['https://a.example/1', 'https://a.example/2', 'http://b.example'] },
    fetches,
    ['https://a.example', 'http://b.example'],
  ],
  [{ to: ' Ada@A.example ', cc: { more: ['bob'] } }, { sends: ['to', 'cc'] }, ['ada@a.example', 'bob']],
  [{ to: null }, { sends: ['to', 'cc'], sendsTo: ['operator', 'api.example'] }, ['api.example']],
])('the receivers of %j with the effects %j are %j', (input, effects, receivers) => {
  expect(toReceivers(toCall(input, effects))).toEqual(receivers)
})

test('a tool that asks once per host runs unasked for an allowed host alone', () => {
  const decideFor = (input: JsonObject, allowed: string[]) =>
    decide(toCall(input, { ...fetches, askPerHost: true }, { flow: toFlow({ allowed }) }), {})
  const allowed = ['https://a.example']
  expect(decideFor({ url: 'https://a.example/page' }, allowed)).toMatchObject({ action: 'allow', rule: 'host' })
  expect(decideFor({ url: 'https://b.example/page' }, allowed)).toMatchObject({ action: 'ask', rule: 'contract' })
  expect(decideFor({ url: ['https://a.example', 'https://b.example'] }, allowed)).toMatchObject({ action: 'ask' })
  expect(decideFor({}, allowed)).toMatchObject({ action: 'ask', rule: 'contract' })
})
