import type { JsonObject } from '../../../contract/json.ts'
import { consoleBodies } from './bodies.ts'
import { type ConsoleOperation, consoleOperations } from './operations.ts'
import { consoleResponses } from './responses.ts'
import { oneOf, text, whole } from './shapes.ts'

/**
 * The OpenAPI 3.1 document of the console. It is not part of that of the tools: programs make tools of every operation
 * that they find there.
 */
export function toConsoleDocument({ version }: { readonly version: string }): JsonObject {
  const paths: { [path: string]: JsonObject } = {}
  for (const operation of consoleOperations) {
    const [method, path] = operation.route.split(' ') as [string, string]
    paths[`/console/api/${path}`] = { ...paths[`/console/api/${path}`], [method.toLowerCase()]: toOperation(operation) }
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Toolpact console', version, description },
    servers: [{ url: '/' }],
    security: [{ session: [] }],
    paths,
    components: {
      securitySchemes: {
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: 'toolpact-PORT',
          description: 'Set by a one-time link: see `toolpact open`.',
        },
      },
      parameters: { Header: headerParameter },
      responses: { Problem: problemResponse },
      schemas: { ...consoleBodies, ...consoleResponses, Problem: problem },
    },
  }
}

const description = `What the console of \`toolpact serve\` shows and does. A person signs in with a one-time link. Operations need one of the rights \`view\`, \`approve\` and \`manage\`, which \`x-right\` names, or none. Hidden characters in texts of tools, servers and models are written as escapes.`

const headerParameter = {
  name: 'Toolpact-Console',
  in: 'header',
  required: true,
  description: 'Always 1. A page of another site cannot send it.',
  schema: oneOf('1'),
}

const problem = {
  type: 'object',
  required: ['type', 'title', 'status', 'detail', 'code', 'suggestion'],
  properties: { type: text, title: text, status: whole, detail: text, code: text, suggestion: text },
}

const problemResponse = {
  description: 'A problem (RFC 9457): what happened and what to do next.',
  content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
}

function toOperation({ route, summary, right, query = {}, body, response }: ConsoleOperation): JsonObject {
  const [method, path] = route.split(' ') as [string, string]
  const parameters: JsonObject[] = [
    ...[...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({ name: name!, in: 'path', required: true, schema: text })),
    ...Object.entries(query).map(([name, about]) => ({ name, in: 'query', description: about, schema: text })),
    ...(method === 'POST' ? [{ $ref: '#/components/parameters/Header' }] : []),
  ]
  const refTo = (name: string) => ({ 'application/json': { schema: { $ref: `#/components/schemas/${name}` } } })
  return {
    operationId: `${method.toLowerCase()}.${path.replace(/[{}]/g, '').replaceAll('/', '.')}`,
    summary,
    ...(right !== undefined && { 'x-right': right }),
    ...(parameters.length > 0 && { parameters }),
    ...(body !== undefined && { requestBody: { required: true, content: refTo(body) } }),
    responses: { ...toSuccess(method, path, response === undefined ? undefined : refTo(response)), default: { $ref: '#/components/responses/Problem' } }, // biome-ignore format: one line
  }
}

function toSuccess(method: string, path: string, content: JsonObject | undefined): JsonObject {
  if (content) return { 200: { description: 'What was asked for.', content } }
  if (method === 'POST') return { 204: { description: 'Done.' } }
  const media = path === 'stream' ? 'text/event-stream' : 'application/json'
  return { 200: { description: 'What was asked for.', content: { [media]: {} } } }
}
