import { expect, test } from 'vitest'
import type { JsonSchema } from '../../contract/json.ts'
import { toInput } from './to-input.ts'

const schema: JsonSchema = {
  type: 'object',
  required: ['text'],
  properties: {
    text: { type: 'string' },
    count: { type: 'integer' },
    ratio: { type: 'number' },
    flag: { type: 'boolean' },
    nothing: { type: 'null' },
    tags: { type: 'array', items: { type: 'string' } },
    options: { type: 'object' },
    either: { type: ['string', 'integer', 'null'] },
    choice: { enum: ['low', 'high'] },
    level: { enum: [1, 2, 3] },
    only: { const: true },
    union: { anyOf: [{ type: 'string' }, { type: 'boolean' }] },
    loose: { anyOf: [{ type: 'string' }, {}] },
    referred: { $ref: '#/$defs/size' },
    any: true,
  },
  $defs: { size: { oneOf: [{ type: 'integer' }, { type: 'number' }] } },
}

test.each([
  ['text=5', '5'],
  ['text="quoted"', '"quoted"'],
  ['text=a=b', 'a=b'],
  ['text=', ''],
  ['text=@file', '@file'],
  ['count=5', 5],
  ['count=-5', -5],
  ['ratio=2', 2],
  ['ratio=0.5', 0.5],
  ['flag=true', true],
  ['nothing=null', null],
  ['tags=["a","b"]', ['a', 'b']],
  ['options={"a":{"b":1}}', { a: { b: 1 } }],
  ['either=5', 5],
  ['either="5"', '5'],
  ['either=null', null],
  ['either=five', 'five'],
  ['choice=high', 'high'],
  ['level=2', 2],
  ['only=true', true],
  ['union=true', true],
  ['union=5', '5'],
  ['loose=5', 5],
  ['loose=five', 'five'],
  ['referred=5', 5],
  ['any={"a":1}', { a: 1 }],
  ['any=text', 'text'],
])('%s is read by the type in the schema', (pair, value) => {
  expect(toInput([pair], schema)).toEqual({ ok: true, input: { [pair.slice(0, pair.indexOf('='))]: value } })
})

test.each([
  ['count=five', 'five'],
  ['count=0x10', '0x10'],
  ['count=', ''],
  ['flag=yes', 'yes'],
  ['tags=a,b', 'a,b'],
  ['options={a:1}', '{a:1}'],
  ['count=12345678901234567890', '12345678901234567890'],
  ['ratio=1e999', '1e999'],
  ['unknown=a', 'a'],
])('%s does not fit its type and stays text for the pipeline to refuse', (pair, value) => {
  expect(toInput([pair], schema)).toEqual({ ok: true, input: { [pair.slice(0, pair.indexOf('='))]: value } })
})

test('several pairs make one input, and none makes an empty one', () => {
  expect(toInput(['text=a', 'count=1'], schema)).toEqual({ ok: true, input: { text: 'a', count: 1 } })
  expect(toInput([], schema)).toEqual({ ok: true, input: {} })
  expect(toInput(['a=1'], undefined)).toEqual({ ok: true, input: { a: 1 } })
})

test('a key that is given twice is refused', () => {
  expect(toInput(['text=a', 'text=b'], schema)).toMatchObject({
    ok: false,
    error: { code: 'invalid_input', message: "The key 'text' is given twice." },
  })
})

test('a duplicate key inside a JSON value is refused', () => {
  expect(toInput(['options={"a":1,"a":2}'], schema)).toMatchObject({ ok: false, error: { code: 'invalid_input' } })
})

test('a word without a key suggests the main parameter', () => {
  expect(toInput(['Ada'], schema)).toMatchObject({ ok: false, error: { suggestion: 'Did you mean text=Ada?' } })
  expect(toInput(['{"text":"a"}'], schema)).toMatchObject({
    ok: false,
    error: { suggestion: expect.stringContaining('--input') },
  })
  expect(toInput(['=a'], schema)).toMatchObject({ ok: false })
})

test('a key of the prototype becomes a plain key', () => {
  const read = toInput(['__proto__={"a":1}', 'constructor=b'], schema)
  expect(read.ok && Object.keys(read.input as object)).toEqual(['__proto__', 'constructor'])
  expect(({} as { a?: number }).a).toBeUndefined()
})

test('a reference to nowhere, or to itself, allows anything', () => {
  const odd: JsonSchema = {
    properties: { lost: { $ref: '#/$defs/none' }, loop: { $ref: '#/properties/loop' }, far: { $ref: 'https://a/b' } },
  }
  expect(toInput(['lost=1', 'loop=2', 'far=3'], odd)).toEqual({ ok: true, input: { lost: 1, loop: 2, far: 3 } })
})
