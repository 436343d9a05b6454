import type { ServerResponse } from 'node:http'
import type { JsonSchema, JsonValue } from '../../contract/json.ts'
import { compileSchema } from '../../contract/schema/compile-schema.ts'
import { parseJson } from '../../contract/schema/parse-json.ts'
import { consoleBodies } from '../../projections/openapi/console/bodies.ts'
import type { Enter, Route } from '../http/route.ts'
import { sendProblem } from '../http/send-problem.ts'
import type { Right } from './api/api.ts'
import { type ConsoleParts, type Endpoint, Refusal, sendJson } from './endpoint.ts'
import { consoleHeaders } from './headers.ts'
import { hasRight } from './person.ts'
import type { SignedIn, SignIn } from './sign-in.ts'

/** Demands a signed-in person, and a right if one is named. What changes something must come from the page itself (CSRF). */
export function toEnter(signIn: SignIn, right?: Right): Enter {
  return async (request) => {
    const { headers, method } = request
    const site = headers['sec-fetch-site']
    const isForeign = site !== undefined && site !== 'same-origin' && site !== 'none'
    if (isForeign || (method !== 'GET' && headers['toolpact-console'] !== '1'))
      return { refusal: 'not_from_console', headers: consoleHeaders }
    const person = await signIn.find(request)
    if (!person) return { refusal: 'not_signed_in', headers: consoleHeaders }
    if (right === undefined || hasRight(person, right)) return { person }
    const detail = `${person.name} does not have the right '${right}'.`
    return { refusal: 'right_missing', isKnown: true, detail, headers: consoleHeaders }
  }
}

/** The route of an endpoint: reads parameters and body, and sends what it returns. */
export function toRoute(endpoint: Endpoint, signIn: SignIn, parts: ConsoleParts): Route {
  const { method, path, right, text, handle } = endpoint
  return {
    methods: [method],
    path: `/console/api/${path}`,
    needs: 'person',
    enter: toEnter(signIn, right),
    async handle(request, response, { person, params, body }) {
      try {
        const asked = {
          person: person as SignedIn,
          params: decodeAll(params),
          query: new URLSearchParams(request.url!.split('?')[1]),
          body: await readBody(endpoint, body),
          signal: toSignal(response),
        }
        const found = await handle(asked, parts)
        if (found) sendJson(response, found, text)
        else response.writeHead(204, consoleHeaders).end()
      } catch (cause) {
        if (!(cause instanceof Refusal)) throw cause
        sendProblem(response, cause.code, { ...cause.options, headers: consoleHeaders })
      }
    },
  }
}

function decodeAll(params: { readonly [name: string]: string }): { [name: string]: string } {
  try {
    return Object.fromEntries(Object.entries(params).map(([name, value]) => [name, decodeURIComponent(value)]))
  } catch {
    throw new Refusal('bad_request', 'The path has an invalid percent-encoding.')
  }
}

async function readBody({ body: name }: Endpoint, body: Buffer | undefined): Promise<JsonValue> {
  if (name === undefined) return {}
  const parsed = parseJson(body ?? Buffer.from('{}'), { maxBytes: maxBodyBytes, maxDepth: 64 })
  if (!parsed.ok) throw new Refusal('invalid_json', parsed.message)
  const [problem] = (await compileSchema(consoleBodies[name] as JsonSchema)).validate(parsed.value)
  if (problem) throw new Refusal('invalid_request', `${problem.message}`)
  return parsed.value
}

const maxBodyBytes = 4_194_304

function toSignal(response: ServerResponse): AbortSignal {
  const controller = new AbortController()
  response.once('close', () => controller.abort())
  return controller.signal
}
