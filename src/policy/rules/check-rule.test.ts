import { expect, test } from 'vitest'
import { toCall, toRule } from '../../../test/helpers/rule-calls.ts'
import type { Contract, Effects } from '../../contract/contract.ts'
import type { JsonSchema } from '../../contract/json.ts'
import type { Rule } from '../../contract/rule.ts'
import { checkRule } from './check-rule.ts'

const now = Date.parse('2026-06-01T12:00:00Z')
const text = { type: 'string' } as const

function contractOf(
  effects: Effects,
  properties: { readonly [name: string]: JsonSchema },
  required: string[] = [],
): Contract {
  const input = { type: 'object', additionalProperties: false, properties, required } as const
  return { ...toCall({}, effects).contract, input }
}

const create = contractOf({ writes: ['path'] }, { path: text, content: text }, ['path', 'content'])
const run = contractOf({ runs: ['command'] }, { command: text, timeout: { type: 'integer', default: 30 } }, ['command'])
const fetchUrl = contractOf({ fetches: ['url'] }, { url: text }, ['url'])
const send = contractOf({ sends: ['to'] }, { to: text }, ['to'])
const weather = contractOf({}, { city: text }, ['city'])

test.each<[pattern: string, contract: Contract, code: string, message: string, more?: Partial<Rule>]>([
  ['{"content":".*","path":"a(.txt"}', create, 'invalid_pattern', 'group that is not closed'],
  ['{"content":".*","path":"(?=a).*"}', create, 'invalid_pattern', 'looks ahead'],
  ['{"content":"(.)\\1","path":"a"}', create, 'invalid_pattern', 'refers back'],
  ['{"content":"a**","path":"a"}', create, 'invalid_pattern', 'not a regular expression'],
  ['{"content":"[b-a]","path":"a"}', create, 'invalid_pattern', 'not a regular expression'],
  ['{"content":"\\y","path":"a"}', create, 'invalid_pattern', 'unknown escape'],
  ['.*', create, 'too_wide', 'would match every call: it does not name the keys'],
  ['*', run, 'too_wide', "'command' may be anything"],
  ['*', fetchUrl, 'too_wide', "'url' may be anything"],
  ['^{.*}$', create, 'too_wide', 'would match every call'],
  ['.*a.txt.*', create, 'keys_not_named', 'name the keys'],
  ['{"path":"a"}', create, 'keys_not_named', "'content', which every call has"],
  ['{"command":"npm test"}', run, 'keys_not_named', "'timeout', which every call has"],
  ['{"content": "a","path":"a"}', create, 'keys_not_named', 'has a space'],
  ['{"content":".*","path":"a","path":"b"}', create, 'keys_not_named', 'twice'],
  ['{"content":".*","path":"a}', create, 'keys_not_named', 'not closed'],
  ['{"content":".*","path":"a","x":1}', create, 'unknown_key', "no parameter 'x'. It has content, path."],
  ['{"content":".*","path":".*"}', create, 'too_wide', "it leaves 'path' open"],
  ['{"city":".*"}', weather, 'too_wide', "it leaves 'city' open"],
  ['{"command":".*","timeout":[0-9]+}', run, 'too_wide', "'command' open"],
  ['{"command":"git.*","timeout":[0-9]+}', run, 'too_wide', 'Write out the command'],
  ['{"url":"https://a.*"}', fetchUrl, 'too_wide', 'or the host'],
  ['{"to":"ada@.*"}', send, 'too_wide', 'Write out the command, the receiver'],
  ['{"city":"Rome"}', weather, 'expired', 'expired already', { expiresAt: '2026-06-01T12:00:00Z' }],
  ['{"city":"Rome"}', weather, 'invalid_time', 'not a valid time', { expiresAt: 'x' }],
  ['{"city":"Rome"}', weather, 'example_fails', '{"city":"Paris"}', { examples: { match: [{ city: 'Paris' }] } }],
  ['{"town":"Rome"}', weather, 'unknown_key', "'town'", { action: 'deny' }],
  ['(', weather, 'invalid_pattern', 'not closed', { action: 'ask' }],
])('%s is refused', async (pattern, contract, code, message, more = {}) => {
  const { problems } = await checkRule(toRule(pattern, { id: 'x', ...more }), contract, now)
  expect(problems).toContainEqual({ rule: 'x', code, message: expect.stringContaining(message) })
})

test.each<[pattern: string, contract: Contract, wide: string[], more?: Partial<Rule>]>([
  ['{"content":".*","path":"a"}', create, []],
  [String.raw`{"to":"ada@a\.example"}`, send, []],
  ['{"content":".*","path":"src/.*"}', create, []],
  ['{"content":".*","path":"/home/.*"}', create, []],
  ['{"content":".*","path":"/.*txt"}', create, ["'path' may lie in any folder."]],
  [
    String.raw`{"content":".*","path":".*\.txt"}`,
    create,
    ["'path' may lie in any folder of the workspace. Absolute paths and '..' still ask."],
  ],
  ['{"command":"npm test .*","timeout":30}', run, []],
  [
    '{"command":"ls .*","timeout":30}',
    run,
    [
      "'ls' may have any plain words as arguments. Options and shell characters that the pattern does not contain still ask.",
    ],
  ],
  ['{"command":"npm run .*","timeout":30}', run, []],
  ['{"command":"git status.*","timeout":30}', run, []],
  ['{"command":"npm test","timeout":.*}', run, []],
  [String.raw`{"url":"https://a\.example/.*"}`, fetchUrl, []],
  ['{"city":"R.*"}', weather, []],
  [
    '*',
    create,
    [
      "Every call of the tool would run unasked, except those with hidden files, absolute paths, '..' or unseen characters.",
    ],
  ],
  ['*', run, [], { action: 'deny' }],
  ['.*', create, [], { action: 'deny' }],
  ['path', create, [], { action: 'ask' }],
])('%s is accepted, with %j to be confirmed', async (pattern, contract, wide, more = {}) => {
  expect(await checkRule(toRule(pattern, more), contract, now)).toEqual({ problems: [], wide })
})

test.each([
  ['git .*', "'git' runs programs that its settings"],
  ['git st.*', 'or a subcommand of these: status, log'],
  ['git config .*', "'git' runs programs"],
  ['git -c x=y status .*', "'git' runs programs"],
  ['/usr/bin/git .*', "'/usr/bin/git' runs programs"],
  ['npm .*', "'npm' runs scripts"],
  ['/bin/sh x.*', "'/bin/sh' runs its arguments as commands"],
  ['python3 [a-z]+', "'python3' runs the script"],
  ['cd src && git .*', "'git' runs programs"],
  ['LANG=C git .*', "'git' runs programs"],
  ['cp a .*', "'cp' writes any file"],
])(
  '%s leaves arguments of a program open that runs others, and is refused with the reason',
  async (command, reason) => {
    const { problems } = await checkRule(toRule(`{"command":"${command}","timeout":30}`), run, now)
    expect(problems).toMatchObject([{ code: 'too_wide', message: expect.stringContaining(reason) }])
  },
)
