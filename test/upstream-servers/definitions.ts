import type { JsonObject } from '../../src/contract/json.ts'

/** A definition of the changeling: text in, the same text out. */
export function define(name: string, changes: JsonObject = {}): JsonObject {
  return {
    name,
    description: `Does what ${name} says.`,
    inputSchema: { type: 'object', properties: { text: { type: 'string' } }, additionalProperties: false },
    outputSchema: {
      type: 'object',
      properties: { said: { type: 'string' } },
      required: ['said'],
      additionalProperties: false,
    },
    annotations: { readOnlyHint: true },
    ...changes,
  }
}

export function withoutOutput(name: string): JsonObject {
  const { outputSchema: _, ...definition } = define(name)
  return definition
}
