import { expect, test } from 'vitest'
import { openWebSearch } from '../web-search.ts'
import { readSearchSettings } from './read-search-settings.ts'

const searxng = { provider: 'searxng', url: 'http://127.0.0.1:8888' } as const
const litellm = { provider: 'litellm', url: 'http://127.0.0.1:4000', keyEnv: 'MY_KEY', tool: 'brave' } as const
const environment = { LITELLM_SEARCH_API_BASE: 'http://proxy:4000', LITELLM_SEARCH_API_KEY: 'sk-env', MY_KEY: 'sk-own' }

test.each([
  ['the environment alone', environment, undefined, { url: 'http://proxy:4000', key: 'sk-env' }],
  [
    'the environment before the config',
    environment,
    litellm,
    { url: 'http://proxy:4000', key: 'sk-env', tool: 'brave' },
  ],
  ['the config alone', { MY_KEY: 'sk-own' }, litellm, { url: 'http://127.0.0.1:4000', key: 'sk-own', tool: 'brave' }],
  ['another provider than that of the environment', environment, searxng, searxng],
])('%s says who answers', (_what, given, config, settings) => {
  expect(readSearchSettings(given, config)).toEqual({
    ok: true,
    settings: { provider: 'litellm', timeoutMs: 20_000, ...settings },
  })
})

test('the key that the config names does not go to the address of the environment', () => {
  const read = readSearchSettings({ LITELLM_SEARCH_API_BASE: 'http://proxy:4000', MY_KEY: 'sk-own' }, litellm)
  expect(read.ok && read.settings).not.toHaveProperty('key')
})

test.each([
  ['nothing', {}, /No search is configured/],
  ['no address', { LITELLM_SEARCH_API_BASE: 'proxy' }, /not an http or https URL/],
  ['a user name', { LITELLM_SEARCH_API_BASE: 'http://a:b@proxy/' }, /user name/],
])('%s is reported', async (_what, given, fault) => {
  expect(readSearchSettings(given)).toMatchObject({ ok: false, fault: expect.stringMatching(fault) })
  await expect(openWebSearch(given).search('x', { maxResults: 1 })).rejects.toThrow(fault)
})
