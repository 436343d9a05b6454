import type { DeclaredError } from '../../contract/contract.ts'
import type { Infer } from '../../contract/infer.ts'
import type { ErrorData, ToolError } from '../../contract/tool-error.ts'

const text = { type: 'string', maxLength: 65_536 } as const

/** What a tool's error may contain. It is checked like an output, because callers read it like one. */
export const toolFailureSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  additionalProperties: false,
  required: ['message'],
  properties: {
    message: text,
    suggestion: text,
    retryAfterMs: { type: 'number', minimum: 0 },
    problems: {
      type: 'array',
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['pointer', 'keyword', 'expected', 'message'],
        properties: { pointer: text, keyword: text, expected: text, found: text, message: text },
      },
    },
  },
} as const

/** A tool's error as data, unchecked. */
export function fromToolError({ message, suggestion, retryAfterMs, problems }: ToolError): object {
  return {
    message,
    ...(suggestion !== undefined && { suggestion }),
    ...(retryAfterMs !== undefined && { retryAfterMs }),
    ...(problems !== undefined && { problems }),
  }
}

/** A declared error. Code, status and default suggestion come from the contract, never from the tool. */
export function toErrorData(
  failure: Infer<typeof toolFailureSchema>,
  { code, status, suggestion }: DeclaredError,
): ErrorData {
  return { code, suggestion, ...failure, status, fixable: status < 500 }
}
