import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { JsonObject } from '../contract/json.ts'
import { removeMember, setMember } from './edit-json.ts'

const written = `{
    "$schema": "x",
    "2": { "kept":  [1,   2] },
    "mcpServers": {
        "one": { "command": "a" },
        "two": {
            "command": "b"
        }
    },
    "1": "a \\" , } text"
}
`

test('a member is added with the indentation of the text, and nothing else changes', () => {
  expect(setMember(written, ['mcpServers', 'three'], { command: 'c', args: ['d', '[', 'e'] })).toBe(
    written.replace(
      '        }\n    },',
      '        },\n        "three": {\n            "command": "c",\n            "args": ["d", "[", "e"]\n        }\n    },',
    ),
  )
})

test('a member is replaced where it stands', () => {
  expect(setMember(written, ['mcpServers', 'one'], { url: 'x' })).toBe(
    written.replace('{ "command": "a" }', '{\n            "url": "x"\n        }'),
  )
  expect(setMember(written, ['mcpServers', 'one', 'command'], 'z')).toBe(written.replace('"a" }', '"z" }'))
  expect(setMember(written, ['mcpServers', 'one', 'start'], 'lazy')).toBe(
    written.replace('"a" }', '"a", "start": "lazy" }'),
  )
})

test('objects on the way are made', () => {
  expect(setMember('{}\n', ['mcpServers', 'a'], { command: 'x' })).toBe(
    '{\n  "mcpServers": {\n    "a": {\n      "command": "x"\n    }\n  }\n}\n',
  )
  expect(setMember('{\n  "policy": {}\n}', ['policy', 'askAll'], true)).toBe(
    '{\n  "policy": {\n    "askAll": true\n  }\n}',
  )
})

test('text on one line stays on one, and line ends stay as they are', () => {
  expect(setMember('{"a":{"b":1}}', ['a', 'c'], [2])).toBe('{"a":{"b":1, "c":[2]}}')
  expect(setMember('{ "a": {} }', ['a', 'c'], [2])).toBe('{ "a": { "c": [2] } }')
  expect(setMember('{\r\n\t"a": 1\r\n}', ['b'], { c: 2 })).toBe('{\r\n\t"a": 1,\r\n\t"b": {\r\n\t\t"c": 2\r\n\t}\r\n}')
})

test('a member is taken out with its comma, wherever it stands', () => {
  expect(removeMember(written, ['mcpServers', 'one'])).toBe(written.replace('"one": { "command": "a" },\n        ', ''))
  expect(JSON.parse(removeMember(written, ['mcpServers', 'two'])).mcpServers).toEqual({ one: { command: 'a' } })
  expect(removeMember('{ "a": 1 }', ['a'])).toBe('{}')
  for (const [name, rest] of [['a', '"b": 2, "c": 3'], ['b', '"a": 1, "c": 3'], ['c', '"a": 1, "b": 2']] as const) // biome-ignore format: one line
    expect(removeMember('{ "a": 1, "b": 2, "c": 3 }', [name])).toBe(`{ ${rest} }`)
  expect(removeMember(written, ['mcpServers', 'three'])).toBe(written)
  expect(removeMember(written, ['nothing', 'three'])).toBe(written)
})

test('a path through something that is not an object is refused', () => {
  expect(() => setMember('{ "a": [1] }', ['a', 'b'], 1)).toThrow('a is not an object')
})

test('whatever the text, the parsed result is what was asked for', () => {
  const key = fc.string({ minLength: 1, maxLength: 4 }).filter((name) => name !== '__proto__')
  const object = fc.dictionary(key, fc.jsonValue({ maxDepth: 2 }), { noNullPrototype: true })
  fc.assert(
    fc.property(object, key, fc.jsonValue(), fc.constantFrom(0, 2, '\t'), (before, name, value, indent) => {
      const text = JSON.stringify(before, null, indent)
      const wanted = JSON.parse(JSON.stringify({ ...before, [name]: value })) as JsonObject
      expect(JSON.parse(setMember(text, [name], value as never))).toEqual(wanted)
      delete wanted[name]
      expect(JSON.parse(removeMember(text, [name]))).toEqual(wanted)
    }),
  )
})
