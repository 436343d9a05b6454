import { expect, test } from 'vitest'
import { openConsole } from '../../../test/helpers/open-console.ts'
import { consoleBodies } from '../../projections/openapi/console/bodies.ts'
import { consoleOperations } from '../../projections/openapi/console/operations.ts'
import { consoleResponses } from '../../projections/openapi/console/responses.ts'
import { endpoints } from './endpoints.ts'

test('every route is documented with its right and its body, and nothing else is', () => {
  const besides = [
    { route: 'POST sign-out', right: undefined, body: undefined },
    { route: 'GET stream', right: 'view', body: undefined },
  ]
  const served = endpoints.map(({ method, path, right, body }) => ({ route: `${method} ${path}`, right, body }))
  const documented = consoleOperations.map(({ route, right, body }) => ({ route, right, body }))
  const byRoute = (one: { route: string }, other: { route: string }) => one.route.localeCompare(other.route)
  expect(documented.sort(byRoute)).toEqual([...served, ...besides].sort(byRoute))
})

test('every schema is used, and every name has a schema', () => {
  const used = consoleOperations.flatMap(({ body, response }) => [body, response]).filter((name) => name !== undefined)
  expect([...new Set(used)].sort()).toEqual([...Object.keys(consoleBodies), ...Object.keys(consoleResponses)].sort())
})

test('the document is served to those who are signed in, and every reference in it leads somewhere', async () => {
  const { signIn } = await openConsole()
  const { status, text, json } = await (await signIn('Ada', ['view'])).get('openapi.json')
  expect(status).toBe(200)
  expect(Object.keys(json.paths).length).toBeGreaterThan(25)
  const references = [...text.matchAll(/"\$ref":"#\/([^"]+)"/g)].map(([, path]) => path!)
  expect(references.length).toBeGreaterThan(50)
  for (const path of references) expect(json, path).toHaveProperty(path.split('/'))
})
