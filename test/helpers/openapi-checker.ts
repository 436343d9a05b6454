import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import type { JsonObject } from '../../src/contract/json.ts'
import { pointerTo } from '../../src/contract/schema/json-pointer.ts'
import type { Answered } from './open-rest.ts'

export interface OpenApiDocument extends JsonObject {
  readonly paths: { readonly [path: string]: { readonly [method: string]: Operation } }
}

interface Operation extends JsonObject {
  readonly operationId: string
  readonly responses: { readonly [status: string]: JsonObject }
}

interface ResponseObject {
  readonly headers?: { readonly [name: string]: { readonly required?: boolean; readonly schema: JsonObject } }
  readonly content?: { readonly [type: string]: { readonly schema: JsonObject } }
}

/** Headers about a call, which must be documented. */
const ours = /^(?:toolpact-.*|idempotency-.*|retry-after|www-authenticate|etag)$/

/** Compares the responses of a server with its document. */
export function createOpenApiChecker(document: OpenApiDocument) {
  const ajv = new Ajv2020({ strict: false, allErrors: true })
  addFormats.default(ajv)
  ajv.addSchema(document, 'document')

  /** Everything in the response that is not documented. */
  return function check(path: string, method: string, { status, headers, body }: Answered): string[] {
    const declared = document.paths[path]?.[method]?.responses[status]
    if (!declared) return [`${status} is not declared: ${JSON.stringify(body).slice(0, 300)}`]
    const { pointer, value } = resolve(pointerOf('paths', path, method, 'responses', status), declared)
    const response = value as unknown as ResponseObject
    const type = headers.get('content-type') ?? ''
    if (!response.content) return checkHeaders(response, headers)
    if (!response.content[type]) return [`the type ${type} is not declared`]
    return [
      ...checkHeaders(response, headers),
      ...checkValue(`${pointer}${pointerOf('content', type, 'schema')}`, body),
      ...(status >= 400 ? checkProblem(body, status) : []),
    ]
  }

  function checkHeaders({ headers: declared = {} }: ResponseObject, headers: Headers): string[] {
    const known = new Map(
      Object.entries(declared).map(([name, header]) => [name.toLowerCase(), resolve('', header as never).value]),
    )
    const undeclared = [...headers.keys()].filter((name) => ours.test(name) && !known.has(name))
    return [
      ...undeclared.map((name) => `the header ${name} is not declared`),
      ...[...known].flatMap(([name, header]) => {
        const text = headers.get(name)
        if (text === null) return header.required ? [`the header ${name} is missing`] : []
        const schema = header.schema as JsonObject
        const validate = ajv.compile(schema)
        return validate(schema.type === 'integer' ? Number(text) : text) ? [] : [`the header ${name} is ${text}`]
      }),
    ]
  }

  function checkProblem(body: JsonObject, status: number): string[] {
    const { properties } = resolve('', { $ref: '#/components/schemas/Problem' }).value as { properties: JsonObject }
    const undeclared = Object.keys(body).filter((member) => !Object.hasOwn(properties, member))
    return [
      ...undeclared.map((member) => `the member ${member} is not declared`),
      ...(body.status === status ? [] : [`the body says ${body.status}, the status is ${status}`]),
    ]
  }

  function checkValue(pointer: string, value: JsonObject): string[] {
    const validate =
      ajv.getSchema(`document#${encodeURI(pointer)}`) ?? ajv.compile({ $ref: `document#${encodeURI(pointer)}` })
    validate(value)
    return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`)
  }

  function resolve(pointer: string, value: JsonObject): { pointer: string; value: JsonObject } {
    if (typeof value.$ref !== 'string') return { pointer, value }
    const target = value.$ref.slice(1)
    const segments = target.slice(1).split('/')
    return {
      pointer: target,
      value: segments.reduce((place, segment) => place[segment] as JsonObject, document as JsonObject),
    }
  }
}

function pointerOf(...segments: (string | number)[]): string {
  return segments.reduce<string>(pointerTo, '')
}
