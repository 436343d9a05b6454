import { expect, test } from 'vitest'
import { toCommand } from './to-input.ts'

const schema = {
  type: 'object',
  properties: {
    name: { type: 'string' },
    count: { type: 'integer' },
    either: { type: ['string', 'integer'] },
    tags: { type: 'array' },
  },
} as const

test.each([
  [{ name: 'Ada' }, 'toolpact call t.x name=Ada'],
  [{ name: 'Ada Lovelace', count: 2 }, "toolpact call t.x 'name=Ada Lovelace' count=2"],
  [{ name: "it's" }, String.raw`toolpact call t.x 'name=it'\''s'`],
  [{ name: '$HOME `id`' }, "toolpact call t.x 'name=$HOME `id`'"],
  [{ tags: ['a'] }, `toolpact call t.x 'tags=["a"]'`],
  [{ either: '5' }, `toolpact call t.x --input '{"either":"5"}'`],
  [{ name: 'a\nb' }, String.raw`toolpact call t.x --input '{"name":"a\nb"}'`],
  [{}, 'toolpact call t.x'],
])('%j becomes a line that can be copied', (input, line) => {
  expect(toCommand('t.x', input, schema)).toBe(line)
})
