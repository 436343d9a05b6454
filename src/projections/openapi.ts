import type { Contract } from '../contract/contract.ts'
import type { JsonObject, JsonValue } from '../contract/json.ts'
import { isOpaque } from '../contract/opaque-output.ts'
import { isPublic } from '../contract/public-access.ts'
import { toComponentSchemas } from './openapi/component-schemas.ts'
import { sharedComponents, sharedSchemas } from './openapi/components.ts'
import { createErrorResponses, type HttpErrors } from './openapi/error-responses.ts'
import { accepted } from './openapi/run-paths.ts'
import { listTag, toParameters, toSharedPaths } from './openapi/shared-paths.ts'
import type { Listed } from './projection.ts'

export interface OpenApiOptions {
  readonly title: string
  readonly version: string
  /** Default: `/`, the server of the document. */
  readonly serverUrl?: string
  /** Responses of the HTTP layer, in addition to those of calls. */
  readonly httpErrors: HttpErrors
  /** Public tools can be called without a token. Default: false. */
  readonly allowsPublic?: boolean
}

interface ServedTool extends Listed {
  readonly toolset: string
}

/**
 * The OpenAPI 3.1 document of a list of tools: one path for each. Omits what cannot be called: planned tools, and tools
 * with an invalid schema, which would make the whole document invalid. The same list gives the same document.
 */
export function toOpenApi(entries: readonly ServedTool[], options: OpenApiOptions): JsonObject {
  const { title, version, serverUrl = '/', httpErrors, allowsPublic = false } = options
  const security: JsonObject = allowsPublic ? { security: [{}, { bearer: [] }] } : {}
  const errors = createErrorResponses(httpErrors)
  const paths: JsonObject = toSharedPaths(errors, security)
  const schemas: JsonObject = { ...sharedSchemas }
  const toolsets = new Set<string>()
  for (const { name, functionName, toolset, tool } of entries) {
    const { contract, workflow } = tool
    const input = toComponentSchemas(`${name}.Input`, contract.input)
    const output = toComponentSchemas(toOutputName(name, contract), contract.output)
    if (contract.status === 'planned' || !input || !output) continue
    toolsets.add(toolset)
    Object.assign(schemas, input, output)
    paths[`/v1/tools/${encodeURIComponent(name)}`] = {
      post: {
        operationId: functionName,
        tags: [toolset],
        ...toOperation(name, contract, workflow !== undefined),
        ...(isPublic(contract) && security),
        responses: { 200: toSuccess(name, contract), ...(workflow && { 202: accepted }), ...errors.ofCall(contract) },
      },
    }
  }
  const responses = errors.shared()
  return {
    openapi: '3.1.0',
    info: { title, version, description },
    servers: [{ url: serverUrl }],
    security: [{ bearer: [] }],
    tags: [listTag, ...[...toolsets].map((name) => ({ name, description: `Tools of the toolset ${name}.` }))],
    paths,
    components: { ...toUsed(sharedComponents, [paths, responses]), schemas, responses },
  }
}

/** Drops unreferenced components, such as the idempotency key if no tool writes. */
function toUsed({ securitySchemes, ...sections }: typeof sharedComponents, users: readonly JsonObject[]): JsonObject {
  const text = JSON.stringify(users)
  const used = Object.entries(sections).map(([section, components]) => {
    const kept = Object.entries(components).filter(([name]) => text.includes(`"#/components/${section}/${name}"`))
    return [section, Object.fromEntries(kept)]
  })
  return { securitySchemes, ...Object.fromEntries(used) }
}

const description = `Tools whose contracts are enforced. The body of a call is its input, and the body of the answer is its output; a failure is a problem (RFC 9457) with a \`code\`. \`POST /v1/call\` takes the name of the tool in the body instead of the path. \`GET\` at the path of a tool gives its contract.

A call that a person must approve is answered with \`approval_required\` and an \`approval_id\`. Repeat it with that id in \`Toolpact-Approval-Id\` once they have; \`GET /v1/approvals/{id}\` gives the state of the question.

A workflow that has not ended after a few seconds is answered with 202; \`GET /v1/runs/{id}\` shows its run.`

function toOperation(name: string, contract: Contract, isWorkflow: boolean): JsonObject {
  const { title, description, version, status, transport, endpoint, risk, approval, limits, effects, input } = contract
  return {
    summary: title,
    description,
    ...(status === 'deprecated' && { deprecated: true }),
    'x-tool-name': contract.name,
    'x-tool-version': version,
    'x-tool-status': status,
    ...(transport !== undefined && { 'x-tool-transport': transport }),
    ...(endpoint !== undefined && { 'x-tool-endpoint': endpoint }),
    'x-tool-risk': risk,
    'x-tool-approval': approval,
    'x-tool-limits': limits as unknown as JsonObject,
    'x-tool-effects': effects as unknown as JsonObject,
    parameters: toParameters(
      'ApprovalId',
      'QueryId',
      ...(risk === 'read_only' ? [] : ['IdempotencyKey']),
      ...(isWorkflow ? ['Prefer'] : []),
    ),
    requestBody: {
      required: (input.required?.length ?? 0) > 0,
      content: { 'application/json': toContent(`${name}.Input`, contract, ({ input }) => input) },
    },
  }
}

function toSuccess(name: string, contract: Contract): JsonObject {
  return {
    description: 'The output.',
    headers: {
      'Toolpact-Call-Id': { $ref: '#/components/headers/CallId' },
      'Toolpact-Notes': { $ref: '#/components/headers/Notes' },
      ...(contract.risk !== 'read_only' && { 'Idempotency-Replayed': { $ref: '#/components/headers/Replayed' } }),
    },
    content: { 'application/json': toContent(toOutputName(name, contract), contract, ({ output }) => output) },
  }
}

/** Tools without a declared output share one component. */
function toOutputName(name: string, contract: Contract): string {
  return isOpaque(contract) ? 'QuotedOutput' : `${name}.Output`
}

/** The contract's examples have the same names for input and output. Validators expect each to match the schema. */
function toContent(
  component: string,
  { examples, errors }: Contract,
  side: (example: Contract['examples'][number]) => JsonValue | undefined,
): JsonObject {
  const shown = examples.flatMap((example, index) => {
    const value = side(example)
    const isFaulty = errors.some(({ code, inputs }) => inputs && code === example.error)
    return value === undefined || isFaulty
      ? []
      : [[`example-${index + 1}`, { ...(example.title && { summary: example.title }), value }]]
  })
  return {
    schema: { $ref: `#/components/schemas/${component}` },
    ...(shown.length > 0 && { examples: Object.fromEntries(shown) }),
  }
}
