import { expect, test } from 'vitest'
import { indexTools } from './tool-index.ts'

const index = indexTools([
  { server: 'git-hub', tool: 'search' },
  { server: 'mail', tool: 'send_email' },
  { server: 'post', tool: 'send_email' },
])

test('a full name that folds to that of another server’s tool is found; a tool is no twin of itself', () => {
  expect(index.findTwin('github', 'search')).toEqual({ server: 'git-hub', tool: 'search' })
  expect(index.findTwin('git', 'hub_search')).toEqual({ server: 'git-hub', tool: 'search' })
  expect(index.findTwin('git-hub', 'search')).toBeUndefined()
  expect(index.findTwin('gitlab', 'search')).toBeUndefined()
})

test('a name is found elsewhere, unless the server has a tool of that name itself', () => {
  expect(index.findElsewhere('git-hub', 'send_email')).toEqual({ server: 'mail', tool: 'send_email' })
  expect(index.findElsewhere('post', 'send_email')).toBeUndefined()
  expect(index.findElsewhere('mail', 'constructor')).toBeUndefined()
})
