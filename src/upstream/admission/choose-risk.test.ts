import { expect, test } from 'vitest'
import { chooseRisk } from './choose-risk.ts'

test.each([
  ['no annotations', undefined, {}, 'dangerous', 'ask', ['risk_assumed']],
  ['annotations that are none', [{ readOnlyHint: true }], {}, 'dangerous', 'ask', ['risk_assumed']],
  ['a claim in words', { readOnlyHint: 'true' }, {}, 'dangerous', 'ask', ['risk_assumed']],
  ['the claim to change nothing', { readOnlyHint: true }, {}, 'read_only', 'never', ['risk_claimed']],
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
    'read_only',
    'never',
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
    { approval: { read: 'ask' } },
    'read_only',
    'ask',
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
  expect(chooseRisk('send_mail', { readOnlyHint: true }, settings)).toMatchObject({ approval: 'ask' })
  expect(chooseRisk('write_file', undefined, settings)).toMatchObject({ approval: 'ask' })
})
