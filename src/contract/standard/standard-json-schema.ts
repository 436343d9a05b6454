/**
 * A schema of another library that converts itself to JSON Schema, as the Standard JSON Schema specification defines:
 * Zod 4.2 or newer, ArkType, or Valibot with `toStandardJsonSchema` of `@valibot/to-json-schema`.
 */
export interface StandardJsonSchema<Input = unknown, Output = Input> {
  readonly '~standard': {
    readonly version: 1
    readonly vendor: string
    readonly types?: { readonly input: Input; readonly output: Output } | undefined
    readonly jsonSchema: {
      input(options: ConversionOptions): { [keyword: string]: unknown }
      output(options: ConversionOptions): { [keyword: string]: unknown }
    }
  }
}

export interface ConversionOptions {
  readonly target: 'draft-2020-12'
  readonly libraryOptions?: Record<string, unknown>
}

/** Whether it is a schema of another library, convertible or not. ArkType's schemas are functions. */
export function isStandardSchema(schema: unknown): schema is Partial<StandardJsonSchema> {
  return (typeof schema === 'object' || typeof schema === 'function') && schema !== null && '~standard' in schema
}

/** The type of a value that passed the schema, with its defaults set. */
export type StandardOutput<Schema> = Schema extends { '~standard': { types?: infer Types } }
  ? NonNullable<Types> extends { output: infer Output }
    ? Output
    : unknown
  : unknown

/** The type of a value that a caller may send. */
export type StandardInput<Schema> = Schema extends { '~standard': { types?: infer Types } }
  ? NonNullable<Types> extends { input: infer Input }
    ? Input
    : unknown
  : unknown
