import { expect, test } from 'vitest'
import { ask, logIn, openLoginStage } from '../helpers/open-login-stage.ts'

test('invalid_grant ends the connection of its owner alone, says to connect again, and that works', async () => {
  let isEnded = false
  const stage = await openLoginStage({
    answer(request, response, body) {
      if (!isEnded || request.url !== '/token' || !body.includes('refresh_token')) return false
      response.writeHead(400, { 'content-type': 'application/json' }).end('{"error":"invalid_grant"}')
      return true
    },
  })
  const toolpact = await stage.open()
  const ada = { name: 'ada@example' }
  await logIn(toolpact, stage, { person: 'olga' })
  await logIn(toolpact, stage, { person: 'ada', owner: ada.name })
  expect(await ask(toolpact, 'whoami', ada)).toContain('You are ada.')
  isEnded = true
  stage.mail.reject(stage.mail.seen.at(-1)!)
  expect(await ask(toolpact, 'whoami', ada)).toMatch(/^credential_required: The connection of ada@example to mail has ended: the issuer no longer accepts it \(invalid_grant\)\. Connect again: toolpact connections add mail --owner ada@example/) // biome-ignore format: one line
  const requests = stage.issuer.requests.length
  expect(await ask(toolpact, 'whoami', ada)).toMatch(/^credential_required/)
  expect(stage.issuer.requests).toHaveLength(requests)
  expect(await ask(toolpact)).toContain('You are olga.')
  const [row] = await toolpact.connections!.list({ owner: ada.name })
  expect(row!.fault).toContain('has ended')
  isEnded = false
  await logIn(toolpact, stage, { person: 'ada', owner: ada.name })
  expect(await ask(toolpact, 'whoami', ada)).toContain('You are ada.')
})

test('a connection that is being renewed is encrypted with the new key only after that, so that no token is lost', async () => {
  const { promise: asked, resolve: onAsked } = Promise.withResolvers<void>()
  const { promise: go, resolve: onGo } = Promise.withResolvers<void>()
  let isSlow = false
  const stage = await openLoginStage({
    extend: (provider) =>
      provider.use(async (context, next) => {
        if (isSlow && context.path === '/token') {
          isSlow = false
          onAsked()
          await go
        }
        await next()
      }),
  })
  const [serving, command] = [await stage.open(), await stage.open()]
  await logIn(serving, stage, { person: 'olga' })
  expect(await ask(serving)).toContain('You are olga.')
  isSlow = true
  stage.mail.reject(stage.mail.seen.at(-1)!)
  const calling = ask(serving)
  await asked
  const rekeying = command.connections!.rekey()
  onGo()
  expect(await calling).toContain('You are olga.')
  expect(await rekeying).toEqual({ rekeyed: 1, current: 0, lost: [] })
  // The rotated token was kept: the old one would end the connection.
  stage.mail.reject(stage.mail.seen.at(-1)!)
  expect(await ask(command)).toContain('You are olga.')
  expect(stage.issuer.count('refresh_token')).toBe(2)
})
