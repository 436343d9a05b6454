import { expect, test } from 'vitest'
import { isProtectedPath } from './protected-path.ts'

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
  expect(isProtectedPath(segments)).toBe(true)
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
  expect(isProtectedPath(segments)).toBe(false)
})
