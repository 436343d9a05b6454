import { expect, test } from 'vitest'
import { ask, logIn, openLoginStage } from '../helpers/open-login-stage.ts'

test('a call that lacks a scope names it, and works after a login that asks for it as well', async () => {
  const stage = await openLoginStage({ scopes: ['read', 'write', 'more'] })
  const toolpact = await stage.open()
  await logIn(toolpact, stage, { person: 'ada', owner: 'ada@example' })
  await logIn(toolpact, stage, { person: 'olga' })
  const ada = { name: 'ada@example' }
  expect(await ask(toolpact, 'drafts', ada)).toBe(
    'credential_required: The server mail requires more rights for this call: write. Do not repeat the call before that. To grant them: toolpact connections add mail --owner ada@example --scope write',
  )
  expect(await ask(toolpact, 'whoami', ada)).toContain('You are ada.')
  await logIn(toolpact, stage, { person: 'ada', owner: 'ada@example', scope: 'write' })
  expect(await ask(toolpact, 'drafts', ada)).toContain('Drafts of ada.')
  // What was granted before is asked for again.
  const next = await toolpact.connections!.begin('mail', { owner: 'ada@example', redirectUri: 'http://127.0.0.1:7421/callback', scope: 'more' }) // biome-ignore format: one line
  expect(next.scope?.split(' ')).toEqual(expect.arrayContaining(['read', 'write', 'more']))
  expect(await ask(toolpact, 'drafts')).toMatch(/toolpact connections add mail --scope write$/)
})

test('a login in another process is used after a call lacked a scope', async () => {
  const stage = await openLoginStage()
  const [serving, command] = [await stage.open(), await stage.open()]
  await logIn(command, stage, { person: 'olga' })
  expect(await ask(serving)).toContain('You are olga.')
  expect(await ask(serving, 'drafts')).toMatch(/^credential_required/)
  await logIn(command, stage, { person: 'olga', scope: 'write' })
  expect(await ask(serving, 'drafts')).toContain('Drafts of olga.')
})
