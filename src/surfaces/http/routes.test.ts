import { expect, test } from 'vitest'
import { echo, openHttp, rightToken } from '../../../test/helpers/open-http.ts'
import { httpErrors } from './http-errors.ts'
import type { Handle, Route } from './route.ts'

const toPath = (path: string) => path.replace(/\{\w+\}/, 'learning.hello')

test('every route answers 401 without credentials and with wrong ones, unless it is public by its nature', async () => {
  const { routes, send } = await openHttp()
  expect(routes.map(({ path }) => path)).toEqual(expect.arrayContaining(['/mcp', '/v1/tools', '/v1/tools/{name}', '/openapi.json', '/healthz', '/readyz'])) // biome-ignore format: one line
  const open = routes.filter(({ needs }) => needs === 'none')
  expect(open.map(({ path }) => path)).toEqual([
    '/.well-known/oauth-protected-resource',
    '/.well-known/oauth-protected-resource/mcp',
  ])
  for (const { path, methods, needs } of routes)
    for (const method of methods)
      for (const token of [null, 'wrong', `${rightToken}x`, rightToken.slice(0, -1), '']) {
        const { status, headers, json } = await send(toPath(path), { method, token })
        const isOpen = needs === 'none' || (needs === 'loopback' && token === null)
        expect(status, `${method} ${path} with ${token}`).toBe(isOpen ? 200 : 401)
        if (isOpen) continue
        expect(headers['www-authenticate']).toMatch(/^Bearer realm="toolpact"/)
        if (method !== 'HEAD') expect(json).toMatchObject({ status: 401, code: 'unauthorized', suggestion: expect.stringContaining('toolpact token') }) // biome-ignore format: one line
      }
})

test('every route answers 403 to a foreign Host and to a foreign Origin, credentials or not', async () => {
  const { routes, port, send } = await openHttp()
  const foreign: { headers: { [name: string]: string }; code: string }[] = [
    { headers: { Host: `attacker.example:${port}` }, code: 'foreign_host' },
    { headers: { Origin: 'https://attacker.example' }, code: 'foreign_origin' },
    { headers: { Origin: 'null' }, code: 'foreign_origin' },
  ]
  for (const { path, methods } of routes)
    for (const method of [...methods, 'OPTIONS'])
      for (const { headers, code } of foreign)
        for (const token of [rightToken, null]) {
          const answer = await send(toPath(path), { method, headers, token })
          expect(answer.status, `${method} ${path} ${JSON.stringify(headers)}`).toBe(403)
          if (method !== 'HEAD') expect(answer.json).toMatchObject({ code, status: 403 })
        }
})

test('every route takes its methods and answers 405 with Allow to others', async () => {
  const { routes, send } = await openHttp()
  for (const { path, methods } of routes) {
    for (const method of methods) expect((await send(toPath(path), { method })).status, `${method} ${path}`).toBe(200)
    for (const method of ['PUT', 'PATCH', 'OPTIONS', 'TRACE', 'PROPFIND']) {
      const { status, headers, json } = await send(toPath(path), { method })
      expect({ status, allow: headers.allow, code: json.code }).toEqual({
        status: 405,
        allow: methods.join(', '),
        code: 'method_not_allowed',
      })
    }
  }
})

test('an unknown path is not found, and a request without credentials is not even told that', async () => {
  const { routes, send } = await openHttp()
  for (const path of [
    '/nothing',
    '/mcp/',
    '//mcp',
    '/%6dcp',
    '/v1/tools/',
    '/v1/tools/a/b',
    '/.env',
    '/..%2fmcp',
    '/MCP',
  ]) {
    expect((await send(path)).json, path).toMatchObject({ status: 404, code: 'not_found' })
    expect((await send(path, { token: null })).status).toBe(401)
  }
  const { suggestion } = (await send('/nothing')).json
  for (const { path } of routes) expect(suggestion).toContain(path)
})

test('a route that a surface contributes needs a token unless it declares otherwise', async () => {
  const toRoute = (path: string, needs?: Route['needs']): Route => ({ methods: ['GET'], path, handle: echo, ...(needs && { needs }) }) // biome-ignore format: one line
  const more = [toRoute('/more'), toRoute('/more/{id}'), toRoute('/open', 'none'), toRoute('/near', 'loopback')]
  const { send } = await openHttp({ surfaces: [{ routes: more }] })
  const statuses = async (token?: null) =>
    Promise.all(['/more', '/more/1', '/open', '/near'].map(async (path) => (await send(path, { token })).status))
  expect(await statuses()).toEqual([200, 200, 200, 200])
  expect(await statuses(null)).toEqual([401, 401, 200, 200])
})

test('a handler gets the segments of its path as they were sent', async () => {
  const seen: object[] = []
  const handle: Handle = (_request, response, { params }) => {
    seen.push({ ...params })
    response.end()
  }
  const { send } = await openHttp({ surfaces: [{ routes: [{ methods: ['GET'], path: '/{kind}/of/{id}', handle }] }] })
  await send('/a%2fb/of/c?d=e')
  expect(seen).toEqual([{ kind: 'a%2fb', id: 'c' }])
})

test.each(['/mcp', '/v1/tools/{other}'])('the server does not start if two surfaces serve %s', async (path) => {
  const surfaces = [{ routes: [{ methods: ['GET'], path, handle: echo }] }]
  await expect(openHttp({ surfaces })).rejects.toThrow(`Two surfaces serve ${path}.`)
})

test('a refusal is a problem with a code of the table, words and advice', async () => {
  const { send } = await openHttp()
  const { headers, json } = await send('/nothing')
  expect(headers['content-type']).toBe('application/problem+json')
  expect(json).toEqual({
    type: 'urn:toolpact:error:not_found',
    title: 'Not found',
    status: 404,
    detail: httpErrors.not_found.when,
    code: 'not_found',
    suggestion: expect.stringContaining('/mcp, /v1/tools'),
    fixable: true,
  })
})

test('the scheme is Bearer in any case, and nothing else is a token', async () => {
  const { send } = await openHttp()
  const statuses = async (...values: string[]) =>
    Promise.all(values.map(async (Authorization) => (await send('/healthz', { token: null, headers: { Authorization } })).status)) // biome-ignore format: one line
  expect(await statuses(`Bearer ${rightToken}`, `bearer ${rightToken}`, `BEARER  ${rightToken}`)).toEqual([
    200, 200, 200,
  ])
  const basic = `Basic ${Buffer.from(`x:${rightToken}`).toString('base64')}`
  expect(
    await statuses(basic, rightToken, `Bearer${rightToken}`, `Bearer ${rightToken} x`, `Bearer ${rightToken},Bearer x`, 'Bearer'), // biome-ignore format: one line
  ).toEqual([401, 401, 401, 401, 401, 401])
  const inQuery = await send(`/v1/tools?token=${rightToken}&access_token=${rightToken}`, { token: null })
  expect(inQuery.status).toBe(401)
})

test('a flood of wrong tokens is answered briefly, and the right one still works', async () => {
  const { send } = await openHttp({ limits: { wrongTokens: 5 } })
  const statuses: number[] = []
  for (let sent = 0; sent < 8; sent++) statuses.push((await send('/healthz', { token: `wrong${sent}` })).status)
  expect(statuses).toEqual([401, 401, 401, 401, 401, 429, 429, 429])
  const { headers, json } = await send('/healthz', { token: 'wrong' })
  expect(Number(headers['retry-after'])).toBeGreaterThan(0)
  expect(json.code).toBe('too_many_attempts')
  expect((await send('/healthz')).status).toBe(200)
  expect((await send('/v1/tools', { token: null })).status).toBe(401)
})
