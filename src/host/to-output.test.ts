import { expect, test } from 'vitest'
import { toOverlaySource } from './to-output.ts'

const text = (text: string) => ({ content: [{ type: 'text', text }] })

test('an attached schema describes structured content where a server sends it', () => {
  expect(toOverlaySource({ structuredContent: { a: 1 }, ...text('{"b":2}') })).toEqual({ a: 1 })
  expect(toOverlaySource({ structuredContent: [1], ...text('{"b":2}') })).toEqual({ result: [1] })
})

test('else its only text, as the JSON that it is or as text', () => {
  expect(toOverlaySource(text('{"a":1}'))).toEqual({ a: 1 })
  expect(toOverlaySource(text(' [1]\n'))).toEqual({ result: [1] })
  for (const plain of ['plain', '5', 'null', '{"a":1', '{"a":1,"a":2}', '{"a":1} and more', ''])
    expect(toOverlaySource(text(plain))).toEqual({ text: plain })
  expect(toOverlaySource(text('['.repeat(100_000)))).toEqual({ text: '['.repeat(100_000) })
})

test('else the quoted blocks', () => {
  const two = { content: [...text('{}').content, ...text('b').content] }
  expect(toOverlaySource(two)).toEqual(two)
  expect(toOverlaySource({})).toEqual({ content: [] })
  const image = { content: [{ type: 'image', data: 'iVBORw0KGgo=', mimeType: 'image/png' }] }
  expect(toOverlaySource(image)).toEqual(image)
})
