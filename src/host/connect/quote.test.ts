import { expect, test } from 'vitest'
import { createQuote } from './quote.ts'

test('values that the operator passed to the server are redacted, and nothing else', () => {
  const headers = { Authorization: 'Bearer abcdefgh', 'X-Key': 'another-key' }
  const quote = createQuote({ kind: 'http', url: 'https://user:pass%20word@host/mcp?key=query-key', headers })
  const said = 'Bearer abcdefgh, abcdefgh, another-key, pass word, pass%20word, query-key: no.'
  expect(quote(said)).toBe('[secret], [secret], [secret], [secret], [secret], [secret]: no.')
  const server = createQuote({
    kind: 'stdio',
    command: 'x',
    args: [],
    env: { TOKEN: 'abcdefgh', DEBUG: '1', MODE: '' },
  })
  expect(server('1 abcdefgh')).toBe('1 [secret]')
})

test('a secret at the place where text is cut is blotted out before the cut', () => {
  const secret = 'abcdefghijklmnopqrst'
  const quote = createQuote({ kind: 'stdio', command: 'x', args: [], env: { TOKEN: secret } })
  expect(quote(`${'x'.repeat(90)}${secret}`, 100)).toBe(`${'x'.repeat(90)}[secret]`)
  for (const length of [85, 95, 990, 3990, 7990])
    for (const max of [100, 1000, 10_000]) {
      const shown = quote(`${'x'.repeat(length)}${secret}${'y'.repeat(10_000)}`, max)
      expect(shown).not.toContain('ab')
      expect(shown.length).toBeLessThanOrEqual(max + 1)
    }
})

test('text is bounded, on one line, and without hidden characters', () => {
  const quote = createQuote({ kind: 'http', url: 'nonsense', headers: {} })
  expect(quote('a\u001b[31m\nb\u202e')).toBe('a\\nb')
  expect(quote('x'.repeat(10_000_000))).toHaveLength(1000)
})
