import { expect, test } from 'vitest'
import { chooseRisk } from './choose-risk.ts'

test.each([
  ['no annotations', undefined, {}, 'dangerous', 'ask', ['risk_assumed']],
  ['annotations of the wrong type', [{ readOnlyHint: true }], {}, 'dangerous', 'ask', ['risk_assumed']],
  ['a claim in words', { readOnlyHint: 'true' }, {}, 'dangerous', 'ask', ['risk_assumed']],
  ['the claim to change nothing', { readOnlyHint: true }, {}, 'dangerous', 'ask', ['risk_claimed']],
  [
    'claims that exclude each other',
    { readOnlyHint: true, destructiveHint: true },
    {},
    'dangerous',
    'ask',
    ['risk_contradicted', 'destructive_claimed'],
  ],
  [
    'the claim to reach out',
    { readOnlyHint: true, openWorldHint: true },
    {},
    'dangerous',
    'ask',
    ['risk_claimed', 'open_world_claimed'],
  ],
  ['a claim to destroy nothing', { destructiveHint: false }, {}, 'dangerous', 'ask', ['risk_assumed']],
  [
    'a config against the claim',
    { readOnlyHint: true },
    { risk: 'dangerous' },
    'dangerous',
    'ask',
    ['risk_configured'],
  ],
  ['a config for this tool', undefined, { risk: { read: 'read_only' } }, 'read_only', 'never', ['risk_configured']],
  ['a config for another tool', undefined, { risk: { write: 'read_only' } }, 'dangerous', 'ask', ['risk_assumed']],
  [
    'approval for the server',
    undefined,
    { approval: 'never' },
    'dangerous',
    'never',
    ['risk_assumed', 'approval_configured'],
  ],
  [
    'approval for the tool',
    { readOnlyHint: true },
    { approval: { read: 'never' } },
    'dangerous',
    'never',
    ['risk_claimed', 'approval_configured'],
  ],
] as const)('%s', (_, annotations, settings, risk, approval, completed) => {
  const chosen = chooseRisk('read', annotations as never, settings)
  expect(chosen).toMatchObject({ risk, approval })
  expect(chosen.completed.map(({ code }) => code)).toEqual(completed)
})

test('a server whose reads may run asks before every other call, whatever its hints claim', () => {
  const settings = { approval: 'reads' } as const
  expect(chooseRisk('read_file', undefined, settings)).toMatchObject({ risk: 'dangerous', approval: 'never' })
  expect(chooseRisk('send_mail', { readOnlyHint: true }, settings)).toMatchObject({
    risk: 'dangerous',
    approval: 'ask',
  })
  expect(chooseRisk('write_file', undefined, settings)).toMatchObject({ approval: 'ask' })
})

test('a claim to read counts only where the operator lets reads run, and is marked where it does not', () => {
  const claim = { readOnlyHint: true }
  const believed = chooseRisk('read_file', claim, { approval: 'reads' })
  expect(believed).toMatchObject({ risk: 'read_only', approval: 'never', claimsToRead: false })
  expect(believed.completed.map(({ code }) => code)).toEqual(['risk_believed', 'approval_configured'])
  expect(chooseRisk('delete_doc', claim, {})).toMatchObject({ risk: 'dangerous', approval: 'ask', claimsToRead: true })
  expect(chooseRisk('delete_doc', claim, { risk: 'read_only' })).toMatchObject({
    approval: 'never',
    claimsToRead: false,
  })
  expect(chooseRisk('delete_doc', {}, {})).toMatchObject({ claimsToRead: false })
})
