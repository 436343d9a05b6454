import { expect, test } from 'vitest'
import type { JsonValue } from '../../contract/json.ts'
import { evaluate, type Scope } from './evaluate.ts'

const scope: Scope = {
  input: { url: 'https://example.com', count: 3, tags: ['a', 'b'], nothing: null, on: true, 'a/b': 1 },
  steps: {
    page: { output: { text: 'héllo 🌍!', items: [{ id: 1 }, { id: [2, 3] }, {}] }, skipped: false },
    late: { skipped: true },
    bad: { error: { code: 'timeout', message: 'Too slow.' }, skipped: false },
  },
  item: { name: 'x' },
  index: 4,
  run: { id: 'run-1', startedAt: '2026-01-02T03:04:05.000Z' },
}

const cases: readonly [name: string, value: JsonValue, expected: JsonValue][] = [
  ['a plain value stays', { a: [1, 'x', null, { b: true }] }, { a: [1, 'x', null, { b: true }] }],
  ['$from the input', { $from: '/input/url' }, 'https://example.com'],
  ['$from with an escaped name', { $from: '/input/a~1b' }, 1],
  ['$from an item of a list', { $from: '/input/tags/1' }, 'b'],
  ['$from the output of a step', { $from: '/steps/page/output/items/0/id' }, 1],
  ['$from an error', { $from: '/steps/bad/error/code' }, 'timeout'],
  ['$from whether a step was skipped', { $from: '/steps/late/skipped' }, true],
  ['$from the item and its index', [{ $from: '/item/name' }, { $from: '/index' }], ['x', 4]],
  ['$from the run', [{ $from: '/run/id' }, { $from: '/run/startedAt' }], ['run-1', '2026-01-02T03:04:05.000Z']],
  ['a default for what is missing', { $from: '/steps/late/output/x', default: { $from: '/input/count' } }, 3],
  ['no default for null', { $from: '/input/nothing', default: 1 }, null],
  ['a property whose value is missing is left out', { a: { $from: '/input/no' }, b: 1 }, { b: 1 }],
  ['inherited properties are missing', { a: { $from: '/input/constructor' }, b: { $from: '/input/tags/length' } }, {}],
  ['$literal keeps expressions', { $literal: { $from: '/input/url' } }, { $from: '/input/url' }],
  ['$join', { $join: ['n=', { $from: '/input/count' }, '.'] }, 'n=3.'],
  ['$join a list with a separator', { $join: { $from: '/input/tags' }, with: ', ' }, 'a, b'],
  ['$truncate a text by characters', { $truncate: [{ $from: '/steps/page/output/text' }, 7] }, 'héllo 🌍'],
  ['$truncate a shorter text', { $truncate: ['ab', 7] }, 'ab'],
  ['$truncate to nothing', { $truncate: ['ab', 0] }, ''],
  ['$truncate a list', { $truncate: [[1, 2, 3], 2] }, [1, 2]],
  ['$slice a text', { $slice: [{ $from: '/steps/page/output/text' }, 6, 7] }, '🌍'],
  ['$slice to the end', { $slice: ['abc', 1] }, 'bc'],
  ['$slice beyond the end', { $slice: ['abc', 5] }, ''],
  ['$slice backwards', { $slice: ['abc', 2, 1] }, ''],
  ['$slice a list', { $slice: [[1, 2, 3], 1, 2] }, [2]],
  ['$concat', { $concat: [[1], { $from: '/input/tags' }] }, [1, 'a', 'b']],
  ['$merge, the last wins', { $merge: [{ a: 1, b: 1 }, { b: 2 }] }, { a: 1, b: 2 }],
  ['$pluck leaves out what has none, and keeps lists', { $pluck: [{ $from: '/steps/page/output/items' }, '/id'] }, [1, [2, 3]]], // biome-ignore format: one line
  ['$length of a text in characters', { $length: '🌍a' }, 2],
  ['$length of a list', { $length: { $from: '/input/tags' } }, 2],
  [
    '$eq of objects in any order',
    {
      $eq: [
        { a: 1, b: 2 },
        { b: 2, a: 1 },
      ],
    },
    true,
  ],
  ['$eq of something missing', { $eq: [{ $from: '/input/no' }, { $from: '/input/no' }] }, false],
  ['$ne', { $ne: [{ $from: '/input/no' }, 1] }, true],
  ['$lt', { $lt: [1, 2] }, true],
  ['$le', { $le: [2, 2] }, true],
  ['$gt of texts', { $gt: ['b', 'a'] }, true],
  ['$ge', { $ge: [1, 2] }, false],
  ['$and stops early', { $and: [false, 'never looked at'] }, false],
  ['$or stops early', { $or: [true, 'never looked at'] }, true],
  ['$not', { $not: { $from: '/input/on' } }, false],
  ['$exists', [{ $exists: { $from: '/input/nothing' } }, { $exists: { $from: '/input/no' } }], [true, false]],
  ['$empty', ['', null, [], {}, 0, 'x'].map(($empty) => ({ $empty })), [true, true, true, true, false, false]],
  ['$if takes one branch alone', { $if: [{ $from: '/input/on' }, 'yes', { $length: 1 }] }, 'yes'],
  ['$check returns the value', { $check: [{ $from: '/input/url' }, { type: 'string', format: 'uri' }] }, 'https://example.com'], // biome-ignore format: one line
]

test.each(cases)('%s', async (_, value, expected) => {
  expect(await evaluate(value, scope)).toEqual({ ok: true, value: expected })
})

const failures: readonly [name: string, value: JsonValue, pointer: string, words: RegExp][] = [
  ['a missing value', { $from: '/input/no' }, '', /missing/],
  ['a missing item of a list', { a: [1, { $from: '/input/no' }] }, '/a/1', /missing/],
  ['a missing part of a text', { a: { $join: ['x', { $from: '/input/no' }] } }, '/a/$join/1', /missing/],
  ['$join of an object', { $join: [{}] }, '/$join', /texts and numbers/],
  ['$join of a text', { $join: 'abc' }, '/$join', /not a list/],
  ['$truncate of a number', { $truncate: [1, 1] }, '', /text or a list/],
  ['$length of a number', { $length: 1 }, '/$length', /text or a list/],
  ['$merge of a list', { $merge: [{}, []] }, '/$merge/1', /not an object/],
  ['$lt of two types', { $lt: [1, 'a'] }, '', /two numbers or two texts/],
  ['a condition that is a text', { $if: ['yes', 1, 2] }, '/$if/0', /true or false/],
  ['$check of another value', { a: { $check: [1, { type: 'string' }] } }, '/a/$check', /does not match its \$check/],
  ['$check with a bad schema', { $check: [1, { type: 'strng' }] }, '/$check/1', /schema is refused/],
  ['$check with a bad pattern', { $check: ['a', { pattern: '(?<=(a+)+$)\\1' }] }, '/$check/1', /pattern/],
  ['an unknown operator', { $form: '/input/url' }, '/$form', /Did you mean \$from\?/],
  ['an unknown operator that resembles none', { $ref: '#' }, '/$ref', /\$literal/],
  ['another key beside an operator', { $not: true, also: 1 }, '', /no other key.*'also'/],
  ['another key beside $from', { $from: '/input', also: 1 }, '', /only "default".*'also'/],
  ['a pointer without a slash', { $from: 'input' }, '/$from', /JSON pointer/],
  ['a pair of three', { $eq: [1, 2, 3] }, '/$eq', /\[VALUE, VALUE\]/],
  ['an empty $and', { $and: [] }, '/$and', /at least one/],
  ['a negative length', { $truncate: ['a', -1] }, '/$truncate', /\[VALUE, MAX\]/],
  ['a separator that is no text', { $join: [], with: 1 }, '/with', /text/],
  ['too much data', { $length: { $concat: Array(50).fill({ $literal: Array(400_000).fill(0) }) } }, '/$length', /too much/], // biome-ignore format: one line
]

test.each(failures)('%s fails, and says where', async (_, value, pointer, words) => {
  const found = await evaluate(value, scope)
  expect(found).toMatchObject({ ok: false, pointer, message: expect.stringMatching(words) })
})
