import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { JsonValue } from '../contract/json.ts'
import { createRedactor } from './redact.ts'

const redact = createRedactor()
const token = `ghp_${'a1B2c3'.repeat(6)}`

test('a value without secrets is copied as it is', () => {
  const value = { name: 'Ada', list: [1, 2.5, true, null, 'text', { deep: [] }], 'a key': '🙂' }
  expect(redact(value)).toEqual(value)
  expect(redact(value)).not.toBe(value)
  expect(redact('Ada')).toBe('Ada')
  expect(redact(null)).toBe(null)
})

test('the input is left as it was', () => {
  const value = { password: 'x', list: [token] }
  redact(value)
  expect(value).toEqual({ password: 'x', list: [token] })
})

describe('names', () => {
  test('what is named like a secret is hidden, whatever it is', () => {
    expect(
      redact({ user: 'ada', password: 'x', apiKey: 12345678, credentials: { user: 'ada', pin: 1 }, cookies: ['a=b'] }),
    ).toEqual({
      user: 'ada',
      password: '[redacted]',
      apiKey: '[redacted]',
      credentials: '[redacted]',
      cookies: '[redacted]',
    })
  })

  test('what cannot hold a secret stays, since it tells whether there was one', () => {
    const value = { password: null, secret: false, token: '', max_tokens: 100, token_count: 3 }
    expect(redact(value)).toEqual(value)
  })

  test('a name and its value in two fields, or an option and its value in a list, are seen together', () => {
    expect(
      redact([
        { name: 'Authorization', value: 'x' },
        { key: 'API_KEY', value: 1 },
        { name: 'Accept', value: 'y' },
      ]),
    ).toEqual([
      { name: 'Authorization', value: '[redacted]' },
      { key: 'API_KEY', value: '[redacted]' },
      { name: 'Accept', value: 'y' },
    ])
    expect(redact(['login', '--password', 'x', '--name', 'ada', 'password', 'y'])).toEqual([
      'login',
      '--password',
      '[redacted]',
      '--name',
      'ada',
      'password',
      'y',
    ])
  })
})

describe('shapes', () => {
  test('a token is replaced by what it was', () => {
    expect(redact({ text: `use ${token}, please` })).toEqual({ text: 'use [redacted: github token], please' })
    expect(redact(token)).toBe('[redacted: github token]')
    expect(redact({ url: 'https://ada:hunter2@example.com' })).toEqual({
      url: 'https://ada:[redacted: password in a url]@example.com',
    })
  })

  test('a token in a key is replaced too', () => {
    expect(redact({ [token]: 1 })).toEqual({ '[redacted: github token]': 1 })
  })
})

describe('the environment', () => {
  const environment = {
    SERVICE_TOKEN: 'correct horse battery',
    OTHER_TOKEN: 'horse battery staple',
    INNER_SECRET: 'horse battery',
    SHORT_TOKEN: 'short',
    HOME: '/home/ada/home',
    LISTED: 'listed-value',
    LONG_KEY: 'x',
    EMPTY_TOKEN: '',
    ABSENT_TOKEN: undefined,
  }
  const redact = createRedactor({ environment, names: ['LISTED', 'ABSENT'] })

  test('values of variables that are named like secrets or listed are replaced wherever they are', () => {
    expect(redact({ command: 'echo correct horse battery | sha256sum; echo listed-value listed-value' })).toEqual({
      command: 'echo [redacted: $SERVICE_TOKEN] | sha256sum; echo [redacted: $LISTED] [redacted: $LISTED]',
    })
  })

  test('values that overlap are replaced as a whole', () => {
    expect(redact('a correct horse battery staple b')).toBe('a [redacted: $SERVICE_TOKEN] b')
    expect(redact('a horse battery b')).toBe('a [redacted: $INNER_SECRET] b')
  })

  test('short values and other variables stay', () => {
    expect(redact('a short way to /home/ada/home')).toBe('a short way to /home/ada/home')
  })

  test('a listed name hides the key of that name', () => {
    expect(redact({ LISTED: 'something else' })).toEqual({ LISTED: '[redacted]' })
  })
})

describe('length', () => {
  test('a long text is shortened and says by how much', () => {
    expect(redact('a'.repeat(10_000_000))).toBe(`${'a'.repeat(1024)}… (9,998,976 more characters)`)
    expect(redact('b'.repeat(1024))).toBe('b'.repeat(1024))
  })

  test('a secret at the cut leaves no part, wherever it begins', () => {
    const secrets = {
      'github token': token,
      'private key': `-----BEGIN PRIVATE KEY-----\n${'Ab1/'.repeat(4000)}\n-----END PRIVATE KEY-----`,
      jwt: `eyJ${'Ab1_'.repeat(2000)}.${'Ab1_'.repeat(2000)}.${'Ab1_'.repeat(20)}`,
      'anthropic key': `sk-ant-${'Ab1_'.repeat(3000)}`,
    }
    for (const [kind, secret] of Object.entries(secrets)) {
      for (const before of [900, 980, 1000, 1013, 1020, 1022, 1023]) {
        const kept = redact(`${' '.repeat(before)}${secret} and more${'.'.repeat(20_000)}`)
        expect(kept, `${kind} at ${before}`).toMatch(new RegExp(`^ {${before}}\\[redacted: ${kind}\\]`))
        expect(kept).not.toMatch(/Ab1|a1B2|ghp_|eyJ|BEGIN|sk-ant/)
      }
      expect(redact(`${' '.repeat(1024)}${secret}`)).toMatch(/^ {1024}… \([\d,]+ more characters\)$/)
    }
  })

  test('a long variable at the cut leaves no part', () => {
    const value = Array.from({ length: 3000 }, (_, index) => `s${index}`).join('')
    const redact = createRedactor({ environment: { BIG_SECRET: value } })
    for (const before of [0, 500, 1023]) {
      expect(redact(`${' '.repeat(before)}${value} tail`)).toMatch(
        new RegExp(`^ {${before}}\\[redacted: \\$BIG_SECRET\\]`),
      )
      expect(redact(`${' '.repeat(before)}${value} tail`)).not.toContain('s1')
    }
  })

  test('a character of two units is not cut in half', () => {
    const kept = redact(`a${'🙂'.repeat(2000)}`) as string
    expect(kept.isWellFormed()).toBe(true)
    expect((redact('\ud800 alone') as string).isWellFormed()).toBe(true)
    expect(Object.keys(redact({ '\ud800': 1 }) as object)[0]?.isWellFormed()).toBe(true)
  })

  test('a long list and a wide object end with a note', () => {
    const list = redact(Array.from({ length: 100_000 }, (_, index) => index)) as JsonValue[]
    expect(list.length).toBeLessThan(3000)
    expect(list.at(-1)).toBe(`… (${(100_000 - list.length + 1).toLocaleString('en-US')} more items)`)
    const wide = redact(Object.fromEntries(Array.from({ length: 50_000 }, (_, index) => [`key ${index}`, index])))
    expect(JSON.stringify(wide).length).toBeLessThan(30_000)
    expect(JSON.stringify(wide)).toMatch(/"…":"\([\d,]+ more keys\)"\}$/)
  })

  test('what is nested deep ends with a note', () => {
    const nested = JSON.parse(`${'['.repeat(60)}1${']'.repeat(60)}`)
    expect(JSON.stringify(redact(nested))).toBe(`${'['.repeat(16)}"… (deeper than is kept)"${']'.repeat(16)}`)
  })

  test('whatever goes in, little comes out, and no token', () => {
    const texts = fc.oneof(fc.string(), fc.constant(token), fc.string({ maxLength: 3000, minLength: 2000 }))
    const values = fc.letrec((tie) => ({
      value: fc.oneof({ maxDepth: 5 }, texts, fc.double(), fc.constant(null), tie('list'), tie('object')),
      list: fc.array(tie('value'), { maxLength: 20 }),
      object: fc.dictionary(texts, tie('value'), { maxKeys: 20 }),
    })).value
    fc.assert(
      fc.property(values, (value) => {
        const text = JSON.stringify(redact(value as JsonValue))
        expect(text).not.toContain(token)
        expect(text.length).toBeLessThan(6 * 20_000)
      }),
      { numRuns: 40 },
    )
  })
})

test('a key that names the prototype is kept as a key', () => {
  const kept = redact(JSON.parse('{"__proto__":{"polluted":true},"constructor":1}')) as object
  expect(JSON.stringify(kept)).toBe('{"__proto__":{"polluted":true},"constructor":1}')
  expect(Object.getPrototypeOf(kept)).toBe(Object.prototype)
})
