import { expect, test } from 'vitest'
import { isAboutCredentials } from './credential-failure.ts'

test.each([
  'Request failed with status code 401',
  'HTTP 403: Forbidden',
  '401 Unauthorized',
  'API Error: unauthorized',
  'Invalid API key provided: sk-…',
  'The API key is missing.',
  'BRAVE_API_KEY environment variable is required',
  'Error: GITHUB_PERSONAL_ACCESS_TOKEN is not set',
  'Please set the NOTION_TOKEN environment variable',
  'Bad credentials',
  'Authentication failed',
  'You are not logged in',
  'Missing required environment variables: HOST',
  'Access token expired',
])('%s: calling again cannot fix that', (words) => expect(isAboutCredentials(words)).toBe(true))

test.each([
  'Line 401 has 403 characters',
  'ENOENT: no such file or directory',
  'Invalid key "color" in the input',
  'The token stream ended: unexpected token <',
  'Rate limit exceeded, try again in 5 s',
  'No results for "api keys"',
  'Unknown tool: read',
  'Key not found in the map',
  '',
])('%s: correct the input and call again', (words) => expect(isAboutCredentials(words)).toBe(false))

test('takes bounded time on long, hostile words', () => {
  const words = 'missing api key api token set environment '.repeat(50) + 'A_'.repeat(1000)
  expect(isAboutCredentials(words.slice(0, 2000))).toBe(true)
})
