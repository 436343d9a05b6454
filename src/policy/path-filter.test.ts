import { describe, expect, test } from 'vitest'
import { compilePathFilter } from './path-filter.ts'

const filter = compilePathFilter({
  allow: ['docs/**', '.claude/memory/**', 'README.md'],
  deny: ['**/.env*', '**/secrets/**', '**/*.key'],
})
const judge = (path: string) => filter(path === '' ? [] : path.split('/'))

describe('with a list of what is open', () => {
  test.each(['docs/a.md', 'docs/a/b/c', '.claude/memory/progress_log.jsonl', 'README.md', 'docs/a..b', 'docs/env'])(
    '%s is open',
    (path) => expect(judge(path)).toBe('open'),
  )

  test.each(['', 'docs', '.claude', '.claude/memory'])('%o leads to what is open', (path) => {
    expect(judge(path)).toBe('way')
  })

  test.each([
    ...['src', 'src/docs/a', 'docsx/a', 'docs-evil/a', '.claude/settings.json', '.claude/memoryx/a', 'x/README.md'],
    ...['README.md/x', 'DOCS/a', 'readme.md', 'README.md.bak'],
  ])('%s is closed', (path) => expect(judge(path)).toBe('closed'))
})

describe('what is denied', () => {
  test.each([
    ...['docs/.env', 'docs/.env.local', 'docs/.envrc', '.env', 'docs/.env.d/a', 'docs/a/b/.env'],
    ...['docs/secrets', 'docs/secrets/a', 'docs/a/secrets/b/c', 'secrets', 'docs/a.key', 'docs/.key', 'docs/x.key/y'],
  ])('%s is closed although docs is open', (path) => expect(judge(path)).toBe('closed'))

  test.each([
    ...['docs/.ENV', 'docs/.Env.Local', 'docs/SECRETS/a', 'docs/Secrets', 'docs/a.KEY'],
    ...[
      'docs/ſecrets/a',
      'docs/ｓｅｃｒｅｔｓ/a',
      'docs/sec\u200crets/a',
      'docs/secrets./a',
      'docs/secrets /a',
      'docs/a.\u212aey',
    ],
  ])('%s is closed: another spelling of the same name', (path) => expect(judge(path)).toBe('closed'))

  test.each(['docs/secretsx/a', 'docs/my-secrets', 'docs/a.keys', 'docs/key', 'docs/x.env', 'docs/environment'])(
    '%s is another name',
    (path) => expect(judge(path)).toBe('open'),
  )
})

test('without a list of what is open, all is but what is denied', () => {
  const all = compilePathFilter({ deny: ['**/*.pem', 'build/out.txt'] })
  expect(all([])).toBe('way')
  expect(all(['a', 'b'])).toBe('open')
  expect(all(['a\nb', 'c'])).toBe('open')
  expect(all(['a', 'b.PEM'])).toBe('closed')
  expect(all(['build', 'out.txt'])).toBe('closed')
  expect(all(['x', 'build', 'out.txt'])).toBe('open')
})

test('a denied name is found below a name with a line break', () => {
  expect(judge('docs/a\nb/.env')).toBe('closed')
})
