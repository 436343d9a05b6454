import { expect, test } from 'vitest'
import { compileGlob } from './glob.ts'

test.each([
  ['**/*.go', ['a.go', 'x/a.go', 'x/y/a.go'], ['a.goo', 'go', '.a.go', '.x/a.go']],
  ['*.go', ['a.go', 'x/y/a.go'], ['a.go/x', '.a.go']],
  ['a.go', ['a.go', 'x/a.go'], ['ba.go', 'a.go/b']],
  ['/a.go', ['a.go'], ['x/a.go']],
  ['./a.go', ['a.go'], ['x/a.go']],
  ['src/**/*.go', ['src/a.go', 'src/x/y/a.go'], ['a.go', 'x/src/a.go', 'src/a.ts', 'src/.x/a.go']],
  ['src/*.go', ['src/a.go'], ['src/x/a.go']],
  ['src/**', ['src/a', 'src/x/y'], ['src', 'a', 'src/.a', 'src/x/.y']],
  ['src/', ['src/a', 'src/x/y'], ['src', 'x/src/a']],
  ['**', ['a', 'x/y'], ['.a', 'x/.y/z']],
  ['**/x/**/y', ['x/y', 'a/x/b/c/y', 'x/x/y/y'], ['x', 'y', 'xx/y']],
  ['?.ts', ['a.ts', 'é.ts', '😀.ts'], ['ab.ts', '.ts']],
  ['[a-c].ts', ['a.ts', 'c.ts'], ['d.ts', '-.ts']],
  ['[!a-c].ts', ['d.ts'], ['a.ts']],
  ['[^a].ts', ['b.ts'], ['a.ts']],
  ['[]a].ts', ['].ts', 'a.ts'], ['b.ts']],
  ['[a-].ts', ['-.ts', 'a.ts'], ['b.ts']],
  ['*.{ts,tsx}', ['a.ts', 'x/a.tsx'], ['a.js']],
  ['{src,test}/**/*.{a,b}', ['src/x.a', 'test/y/x.b'], ['lib/x.a', 'x.a']],
  ['a{b,{c,d}e}f', ['abf', 'acef', 'adef'], ['aef', 'abef']],
  ['a{,b}', ['a', 'ab'], ['b']],
  ['\\*.ts', ['*.ts'], ['a.ts']],
  ['\\{a\\}', ['{a}'], ['a']],
  ['[{]a', ['{a'], ['a']],
  ['.github/*.yml', ['.github/ci.yml'], ['.github/.x.yml', 'github/ci.yml']],
  ['**/.env', ['.env', 'x/.env'], ['env', '.x/.env']],
  ['*a*b*c*', ['abc', 'xaxbxcx'], ['acb', 'ab']],
  ['a//b', ['a/b'], ['a/x/b']],
])('%s matches what it says and nothing else', (pattern, yes, no) => {
  const glob = compileGlob(pattern)
  for (const path of yes) expect(glob.matches(path, { hidden: false }), path).toBe(true)
  for (const path of no) expect(glob.matches(path, { hidden: false }), path).toBe(false)
})

test('with hidden names, wildcards match them', () => {
  expect(compileGlob('**/*.go').matches('.x/.a.go', { hidden: true })).toBe(true)
  expect(compileGlob('src/**').matches('src/.a', { hidden: true })).toBe(true)
})

test.each([
  '**/*[.go',
  '[',
  'a[]',
  '{a',
  'a{b,c',
  '\\',
  '',
  '../*',
  'a/../b',
  '!*.ts',
  'a\0',
  'x'.repeat(2000),
  '{a,b}'.repeat(20),
])('%j is refused', (pattern) => {
  expect(() => compileGlob(pattern)).toThrow(expect.objectContaining({ code: 'invalid_glob' }))
})

test('the message is the one that is promised', () => {
  expect(() => compileGlob('**/*[.go')).toThrow("Invalid glob pattern '**/*[.go'")
})

test('gives the starting folder and the globs of names', () => {
  expect(compileGlob('src/lib/**/*.ts')).toMatchObject({ prefix: ['src', 'lib'], names: ['*.ts'], namesHidden: false })
  expect(compileGlob('src/{a,b}/*.{ts,js}')).toMatchObject({ prefix: ['src'], names: ['*.ts', '*.js'] })
  expect(compileGlob('{src,test}/*.ts')).toMatchObject({ prefix: [] })
  expect(compileGlob('src/[ab].ts')).toMatchObject({ prefix: ['src'], names: undefined })
  expect(compileGlob('a/b')).toMatchObject({ prefix: ['a'], names: ['b'] })
  expect(compileGlob('b')).toMatchObject({ prefix: [], names: ['b'] })
  expect(compileGlob('src/**')).toMatchObject({ prefix: ['src'], names: undefined })
  expect(compileGlob('.github/*.yml')).toMatchObject({ prefix: ['.github'], namesHidden: false })
  expect(compileGlob('**/.env')).toMatchObject({ namesHidden: true })
})

test('hostile patterns take no time worth mentioning', () => {
  const stars = compileGlob(`${'*a'.repeat(100)}b`)
  const deep = compileGlob(`${'**/a/'.repeat(100)}b`)
  expect(stars.matches('a'.repeat(4000), { hidden: false })).toBe(false)
  expect(deep.matches(`${'a/'.repeat(2000)}c`, { hidden: false })).toBe(false)
})
