import { expect, test } from 'vitest'
import type { Config } from '../config/config.ts'
import { openSignIn, toSettings } from './open-sign-in.ts'

const settings = { issuer: 'https://id.example/realms/acme', clientId: 'console', clientSecret: 'secret', rights: {} }
const ada = { name: 'ada', groups: ['ops', 'staff'] }

test.each<[string, object, readonly string[]]>([
  ['nothing is given', {}, []],
  ['their group has rights', { 'group:ops': ['approve'] }, ['view', 'approve']],
  ['several of their groups have', { 'group:ops': ['approve'], 'group:staff': ['manage'] }, ['view', 'approve', 'manage']], // biome-ignore format: one line
  ['a group of the config has, which names them', { 'group:listed': ['manage'] }, ['view', 'manage']],
  ['another group has', { 'group:dev': ['manage'] }, []],
  ['their name has', { ada: ['view'] }, ['view']],
  ['somebody who is named like their group has', { ops: ['manage'] }, []],
  ['everybody has', { '*': ['view'] }, ['view']],
])('a person has the rights of their name and groups: %s', (_, rights, expected) => {
  const config = { http: { signIn: { ...settings, rights } }, groups: { listed: ['ada'], others: ['bob'] } }
  expect(openSignIn({ config: () => config as unknown as Config })()!.rightsOf(ada)).toEqual(expected)
})

test('a person who is named like a group has no rights of that group', () => {
  const config = { http: { signIn: { ...settings, rights: { 'group:ops': ['manage'] } } } } as unknown as Config
  expect(openSignIn({ config: () => config })()!.rightsOf({ name: 'group:ops', groups: [] })).toEqual([])
})

test('the config of each moment applies, and the same one is opened once', () => {
  let config = {} as Config
  const signInBy = openSignIn({ config: () => config })
  expect(signInBy()).toBeUndefined()
  config = { http: { signIn: settings } } as unknown as Config
  const first = signInBy()
  expect(first).toMatchObject({ issuer: settings.issuer, name: 'id.example' })
  expect(signInBy()).toBe(first)
  config = { http: { signIn: { ...settings, name: 'Acme' } } } as unknown as Config
  expect(signInBy()).toMatchObject({ name: 'Acme' })
})

test('the secret comes from a variable, which must be set', () => {
  process.env.TOOLPACT_TEST_SIGN_IN = 'from the environment'
  expect(toSettings({ ...settings, clientSecret: `\${TOOLPACT_TEST_SIGN_IN}` } as never).clientSecret).toBe('from the environment') // biome-ignore format: one line
  delete process.env.TOOLPACT_TEST_SIGN_IN
  expect(() => toSettings({ ...settings, clientSecret: `\${TOOLPACT_TEST_SIGN_IN}` } as never)).toThrow(
    'http.signIn.clientSecret needs the environment variable TOOLPACT_TEST_SIGN_IN, which is not set.',
  )
})
