import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseJson } from './parse-json.ts'

const limits = { maxBytes: 10_000, maxDepth: 20 }

test('parses text and bytes alike', () => {
  const text = ' {"a" : [1, -2.5e3, true, false, null], "b\\n": "é😀\\ud83d\\ude00", "c": {}, "d": []}\r\n'
  const expected = { ok: true, value: JSON.parse(text), bytes: Buffer.byteLength(text) }
  expect(parseJson(text, limits)).toEqual(expected)
  expect(parseJson(Buffer.from(text), limits)).toEqual(expected)
})

test('accepts exactly what JSON.parse accepts, on damaged texts too', () => {
  const edit = fc.record({
    at: fc.nat(),
    remove: fc.nat(2),
    insert: fc.constantFrom(...'{}[]",:\\ue0-+.1 \n\tnul\u0001'),
  })
  const texts = fc.tuple(fc.json({ maxDepth: 4 }), fc.array(edit, { maxLength: 2 })).map(([text, edits]) =>
    edits.reduce((before, { at, remove, insert }) => {
      const place = at % (before.length + 1)
      return before.slice(0, place) + insert + before.slice(place + remove)
    }, text),
  )
  let accepted = 0
  let refused = 0
  const check = fc.property(texts, (text) => {
    const result = parseJson(text, { maxBytes: 1_000_000, maxDepth: 100 })
    if (result.ok) {
      accepted++
      expect(result.value).toEqual(JSON.parse(text))
    } else if (result.reason === 'syntax') {
      refused++
      expect(() => JSON.parse(text)).toThrow()
    }
  })
  fc.assert(check, { seed: 11, numRuns: 2500 })
  expect(accepted).toBeGreaterThan(500)
  expect(refused).toBeGreaterThan(500)
})

const duplicates: [string, string][] = [
  ['{"a":1,"a":1}', '/a'],
  ['{"a":1,"\\u0061":2}', '/a'],
  ['{"x":[{"b":1,"c":2,"b":3}]}', '/x/0/b'],
  ['{"a/b":{"":1,"":2}}', '/a~1b/'],
  ['{"toString":1,"toString":2}', '/toString'],
]

test.each(duplicates)('refuses a duplicate key: %s', (text, pointer) => {
  expect(parseJson(text, limits)).toMatchObject({ ok: false, reason: 'duplicate_key', pointer })
})

test('refuses exactly the texts in which an object has a key twice, however keys are written', () => {
  const space = fc.constantFrom('', '', ' ', '\n\t')
  const keys = fc.constantFrom('"a"', '"\\u0061"', '"b:"', '"{\\""', '"\\\\"', '"__proto"', '"10"', '"9"')
  const values = fc.letrec<{ node: Written; list: Written; object: Written }>((tie) => ({
    node: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      fc.constantFrom('1', '"x,\\":"', '{}', 'null').map((text) => ({ text, value: JSON.parse(text) })),
      tie('list'),
      tie('object'),
    ),
    list: fc.array(tie('node'), { maxLength: 3 }).map((items) => ({
      text: `[${items.map(({ text }) => text)}]`,
      value: items.every(({ value }) => value !== undefined) ? items.map(({ value }) => value) : undefined,
    })),
    object: fc.array(fc.tuple(keys, space, tie('node')), { maxLength: 3 }).map((entries) => {
      const value = Object.fromEntries(entries.map(([key, , { value }]) => [JSON.parse(key), value]))
      const isSound =
        Object.keys(value).length === entries.length && entries.every(([, , { value }]) => value !== undefined)
      return {
        text: `{${entries.map(([key, gap, { text }]) => `${key}${gap}:${gap}${text}`)}}`,
        value: isSound ? value : undefined,
      }
    }),
  })).node
  const check = fc.property(values, ({ text, value }) => {
    const result = parseJson(text, { maxBytes: 1_000_000, maxDepth: 100 })
    if (value === undefined) expect(result).toMatchObject({ ok: false, reason: 'duplicate_key' })
    else expect(result).toEqual({ ok: true, value, bytes: text.length })
  })
  fc.assert(check, { seed: 12, numRuns: 1000 })
})

interface Written {
  readonly text: string
  /** None where an object has a key twice. */
  readonly value: unknown
}

test('allows one key in several objects', () => {
  expect(parseJson('[{"a":{"a":1}},{"a":2}]', limits).ok).toBe(true)
})

test('distinguishes escaped keys that JSON.parse confused (nodejs/node#63785)', () => {
  for (const before of ['{"a":1,"\\\\":2}', '{"a":1,"\\\\n":2}']) expect(parseJson(before, limits).ok).toBe(true)
  expect(parseJson('{"a":1,"\\u0062":2}', limits)).toMatchObject({ value: { a: 1, b: 2 } })
  expect(parseJson('{"a":1,"\\nb":2}', limits)).toMatchObject({ value: { a: 1, '\nb': 2 } })
  expect(parseJson('{"a":1,"\\\\":2}', limits)).toMatchObject({ value: { a: 1, '\\': 2 } })
})

const syntaxErrors: [string, string][] = [
  ['', 'line 1, column 1: a value was expected, but the text ends'],
  ['{"a":1,}', 'line 1, column 8: a key in double quotes was expected, but there is "}"'],
  ['{\n  "a": 1\n  "b": 2\n}', 'line 3, column 3: "," or "}" was expected, but there is "\\""'],
  ['[1 2]', 'line 1, column 4: "," or "]" was expected'],
  ['{"a" 1}', 'line 1, column 6: ":" was expected'],
  ['["a\nb"]', 'line 1, column 4: a control character'],
  ['["\\x"]', 'line 1, column 3: JSON has no such escape'],
  ['[1, "abc', 'line 1, column 5: the string that starts here never ends'],
  ['{} {}', 'line 1, column 4: the text should end here'],
  ["{'a':1}", 'a key in double quotes was expected, but there is "\'"'],
  ['[01]', 'line 1, column 3: "," or "]" was expected'],
  ['\ufeff{}', 'line 1, column 1: a value was expected'],
]

test.each(syntaxErrors)('says line and column of the mistake in %j', (text, message) => {
  const result = parseJson(text, limits)
  expect(result).toMatchObject({ ok: false, reason: 'syntax', message: expect.stringContaining(message) })
})

test('refuses bytes that are not UTF-8, and overlong forms', () => {
  for (const bytes of [
    [0x22, 0xff, 0x22],
    [0x22, 0xc0, 0xaf, 0x22],
    [0x22, 0xed, 0xa0, 0x80, 0x22],
  ]) {
    const result = parseJson(new Uint8Array(bytes), limits)
    expect(result).toMatchObject({ ok: false, reason: 'syntax', message: expect.stringContaining('UTF-8') })
  }
})

test('an incomplete character at the end does not leak into the next text', () => {
  expect(parseJson(Buffer.from([0x22, 0xc3]), limits)).toMatchObject({ ok: false, reason: 'syntax' })
  expect(parseJson(Buffer.from('"é"'), limits)).toEqual({ ok: true, value: 'é', bytes: 4 })
})

const notJson: [string, string][] = [
  ['{"a":{"__proto__":1}}', '/a/__proto__'],
  ['{"\\u005f_proto__":1}', '/__proto__'],
  ['["\\ud800"]', '/0'],
  ['["\\udc00\\ud800"]', '/0'],
  ['["\\ud800\\u0041"]', '/0'],
  ['["\ud800"]', ''],
  ['1e400', ''],
  ['{"a":1e400}', '/a'],
  [`[${'9'.repeat(400)}]`, '/0'],
]

test.each(notJson)('refuses what is refused in memory too: %j', (text, pointer) => {
  expect(parseJson(text, limits)).toMatchObject({ ok: false, reason: 'not_json', pointer })
})

test('bounds bytes before it reads, and depth while it reads', () => {
  expect(parseJson(`"${'x'.repeat(9_998)}"`, limits).ok).toBe(true)
  expect(parseJson(`"${'x'.repeat(9_999)}"`, limits)).toMatchObject({ reason: 'too_large' })
  expect(parseJson(`"${'é'.repeat(5_000)}"`, limits)).toMatchObject({ reason: 'too_large' })
  expect(parseJson('['.repeat(20) + ']'.repeat(20), limits).ok).toBe(true)
  expect(parseJson('['.repeat(21) + ']'.repeat(21), limits)).toMatchObject({ reason: 'too_deep' })
  expect(parseJson('{"a":'.repeat(1_000_000), { maxBytes: 1e7, maxDepth: 64 })).toMatchObject({ reason: 'too_deep' })
})

test('parses ten million characters', () => {
  const large = { maxBytes: 2e7, maxDepth: 2 }
  expect(parseJson(`"${'x'.repeat(1e7)}"`, large).ok).toBe(true)
  expect(parseJson(`"${'\\n'.repeat(5e6)}"`, large).ok).toBe(true)
  expect(parseJson(`[${'1,'.repeat(1e6)}1]`, large).ok).toBe(true)
  expect(parseJson(`{${Array.from({ length: 300_000 }, (_, index) => `"k${index}":0`)}}`, large).ok).toBe(true)
})

test('reports the location of a syntax error, and whether text follows a complete value', () => {
  expect(parseJson('{"a": 1}\n so', limits)).toMatchObject({ syntax: { line: 2, column: 2, isAfterValue: true } })
  expect(parseJson('{"a": }', limits)).toMatchObject({ syntax: { line: 1, column: 7, isAfterValue: false } })
})
