import { expect, test } from 'vitest'
import { type Challenge, parseChallenge } from './challenge.ts'

test.each<[header: string, challenge: Challenge | undefined]>([
  ['Bearer', {}],
  ['bearer resource_metadata="https://a.example/x"', { resourceMetadata: 'https://a.example/x' }],
  ['Bearer error="invalid_token", scope="read write"', { error: 'invalid_token', scope: 'read write' }],
  ['Bearer error=insufficient_scope,scope=admin', { error: 'insufficient_scope', scope: 'admin' }],
  ['Basic realm="x", Bearer resource_metadata="https://a.example"', { resourceMetadata: 'https://a.example' }],
  ['Bearer realm="a \\"quoted\\", Bearer word", scope="x"', { scope: 'x' }],
  ['Bearer scope="first", scope="second"', { scope: 'first' }],
  ['Basic realm="x"', undefined],
  ['Bearertoken scope="x"', undefined],
  ['', undefined],
  [`Bearer scope="${'x'.repeat(9000)}"`, undefined],
])('%s', (header, challenge) => {
  expect(parseChallenge(header)).toEqual(challenge)
})

test('a hostile header is read in linear time', () => {
  for (const part of ['a=', '"', '\\', ', ', 'a="\\', ' '])
    expect(() => parseChallenge(`Bearer ${part.repeat(8000 / part.length)}`)).not.toThrow()
})
