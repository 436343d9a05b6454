import { expect, test } from 'vitest'
import { findProtection } from './protected-path.ts'

test.each([
  ['.git', 'hooks', 'pre-commit'],
  ['sub', '.git'],
  ['.GIT', 'config'],
  ['.Git ', 'config'],
  ['.git.', 'config'],
  ['GIT~1', 'config'],
  ['.g\u200cit', 'config'],
  ['.git::$INDEX_ALLOCATION', 'config'],
  ['．git', 'config'],
  ['toolpact.json'],
  ['sub', 'Toolpact.JSON'],
  ['toolpact.json::$DATA'],
  ['TOOLPA~1.JSO'],
  ['sub', 'toolpact.lock'],
  ['TOOLPA~1.LOC'],
])('%j/… is protected', (...segments) => {
  expect(findProtection(segments)).toEqual(expect.any(String))
})

test.each([
  ['toolpact.json5'],
  ['my-toolpact.lock'],
  ['my-toolpact.json'],
  ['.gitignore'],
  ['.github', 'workflows', 'ci.yml'],
  ['git', 'x'],
  ['a.git', 'config'],
  [],
])('%j/… is not protected', (...segments) => {
  expect(findProtection(segments)).toBeUndefined()
})

test.each([
  [['tools']],
  [['tools', 'new.contract.json']],
  [['Tools', 'lib', 'x.js']],
  [['conf', 'mine.json']],
  [['CONF', 'Mine.JSON']],
])('%j is protected where it is loaded at the start', (names) => {
  expect(findProtection(names, [['tools'], ['conf', 'mine.json']])).toMatch('loads it')
})

test.each([[['tools-2', 'a.js']], [['src', 'tools', 'a.js']], [['conf']], [['conf', 'other.json']], [['mine.json']]])(
  '%j beside what is loaded is not protected',
  (names) => {
    expect(findProtection(names, [['tools'], ['conf', 'mine.json']])).toBeUndefined()
  },
)

test('where contracts lie in the root itself, files that can be loaded are protected and others are not', () => {
  const isProtected = (...names: string[]) => findProtection(names, [[]]) !== undefined
  for (const name of ['a.contract.json', 'a.ts', 'a.mjs', 'toolset.json', 'package.json', 'A.JS'])
    expect(isProtected(name), name).toBe(true)
  for (const name of ['notes.md', 'data.json', 'js', 'a.jsonl']) expect(isProtected(name), name).toBe(false)
})
