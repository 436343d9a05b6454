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
])('%j/… is protected', (...segments) => {
  expect(isProtectedPath(segments)).toBe(true)
})

test.each([['.gitignore'], ['.github', 'workflows', 'ci.yml'], ['git', 'x'], ['a.git', 'config'], []])(
  '%j/… is not protected',
  (...segments) => {
    expect(isProtectedPath(segments)).toBe(false)
  },
)
