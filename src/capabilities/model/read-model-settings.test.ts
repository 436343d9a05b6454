import { expect, test } from 'vitest'
import { openLazyModel } from './open-lazy-model.ts'
import { readModelSettings } from './read-model-settings.ts'

const config = { url: 'http://127.0.0.1:1/v1/', model: 'small', keyEnv: 'MY_KEY', timeoutMs: 5 }

test('the environment is enough', () => {
  const environment = { TOOLPACT_MODEL_URL: ' http://x/v1 ', TOOLPACT_MODEL: 'm', TOOLPACT_MODEL_KEY: 'k' }
  expect(readModelSettings(environment)).toEqual({
    ok: true,
    settings: {
      ...{ url: 'http://x/v1', model: 'm', key: 'k', timeoutMs: 30_000 },
      names: { url: 'TOOLPACT_MODEL_URL', model: 'TOOLPACT_MODEL', key: 'TOOLPACT_MODEL_KEY' },
    },
  })
})

test('the config is enough, and names the variable of its key', () => {
  expect(readModelSettings({ MY_KEY: 'k' }, config)).toEqual({
    ok: true,
    settings: {
      ...{ url: 'http://127.0.0.1:1/v1', model: 'small', key: 'k', timeoutMs: 5 },
      names: { url: 'model.url in the config', model: 'model.model in the config', key: 'MY_KEY' },
    },
  })
})

test('the environment overrides the config', () => {
  const environment = { TOOLPACT_MODEL: 'm', TOOLPACT_MODEL_KEY: 'mine', MY_KEY: 'k' }
  expect(readModelSettings(environment, config)).toMatchObject({ settings: { model: 'm', key: 'mine', timeoutMs: 5 } })
})

test("the key of the config's address goes to no other address", () => {
  const read = readModelSettings({ TOOLPACT_MODEL_URL: 'http://elsewhere/v1', MY_KEY: 'k' }, config)
  expect(read).toMatchObject({ ok: true, settings: { url: 'http://elsewhere/v1', model: 'small' } })
  expect(JSON.stringify(read)).not.toContain('key')
})

test.each([
  ['nothing', {}, undefined, /TOOLPACT_MODEL_URL and TOOLPACT_MODEL are not set/],
  ['a URL alone', { TOOLPACT_MODEL_URL: 'http://x' }, undefined, /TOOLPACT_MODEL is not set/],
  ['a blank URL', { TOOLPACT_MODEL_URL: ' ', TOOLPACT_MODEL: 'm' }, undefined, /TOOLPACT_MODEL_URL is not set/],
  [
    'a URL of another kind',
    { TOOLPACT_MODEL_URL: 'file:///x', TOOLPACT_MODEL: 'm' },
    undefined,
    /not an http or https URL/,
  ],
  [
    'no URL',
    { TOOLPACT_MODEL_URL: 'localhost', TOOLPACT_MODEL: 'm' },
    undefined,
    /not an http or https URL: localhost/,
  ],
  ['a password', { TOOLPACT_MODEL_URL: 'http://u:hidden@x', TOOLPACT_MODEL: 'm' }, undefined, /user name or password/],
  ['a key that is not there', {}, config, /MY_KEY/],
  ['a key with a line break', { MY_KEY: 'hidden\nx' }, config, /contains invalid characters/],
])('%s is said to be wrong, with what to do', (_what, environment, given, fault) => {
  const read = readModelSettings(environment, given)
  expect(read).toEqual({ ok: false, fault: expect.stringMatching(fault), suggestion: expect.any(String) })
  expect(JSON.stringify(read)).not.toContain('hidden')
})

test('a model that is not configured fails when it is asked', async () => {
  const model = openLazyModel({ environment: {} })
  expect(model.name).toBe('none')
  await expect(model.complete({ messages: [] })).rejects.toMatchObject({
    code: 'model_error',
    message: /No model is configured/,
    suggestion: /TOOLPACT_MODEL_URL/,
  })
  expect(openLazyModel({ environment: {}, config: { url: 'http://x', model: 'a' }, name: 'b' }).name).toBe('b')
})
