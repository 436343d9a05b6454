import type { JsonSchema } from '../../src/contract/json.ts'
import { compileSchema, SchemaRefused } from '../../src/contract/schema/compile-schema.ts'
import { type Case, cases } from '../data/hostile-schemas.ts'

/** Child process: receives names of cases and sends back the outcome of each. */
process.on('message', async (name: string) => {
  process.send?.(await run(cases[name]!).catch((error: Error) => `crashed: ${error.stack}`))
})

async function run({ schema, value }: Case): Promise<string> {
  try {
    const validator = await compileSchema(schema as JsonSchema, { useDefaults: true })
    const [first] = validator.validate(value)
    return first?.keyword ?? 'valid'
  } catch (error) {
    if (error instanceof SchemaRefused) return `refused: ${error.problems[0]?.rule}`
    throw error
  }
}
