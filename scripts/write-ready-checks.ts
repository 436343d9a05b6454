import { configSchema } from '../src/app/config/config-schema.ts'
import type { JsonSchema } from '../src/contract/json.ts'
import { digestOfText } from '../src/contract/schema/load-validator.ts'
import { writeCheck } from '../src/contract/schema/write-check.ts'
import { toolFailureSchema } from '../src/runtime/pipeline/check-returned.ts'
import { toolsets } from '../src/toolsets/index.ts'

/** The code of a module of prebuilt checks, and their schemas. */
export interface ReadyModule {
  readonly name: string
  readonly digests: readonly string[]
  readonly code: string
}

/** Compiles all built-in schemas for `ready-checks.ts`: one module per toolset, so that a call loads only its own. */
export async function writeReadyChecks(): Promise<ReadyModule[]> {
  const groups = [toModule('config', [configSchema]), toModule('failure', [toolFailureSchema])]
  for (const [name, load] of Object.entries(toolsets)) {
    const { tools, settings } = await load()
    const schemas = tools.flatMap(({ contract }) => [contract.input, contract.output])
    groups.push(toModule(name, settings ? [...schemas, settings] : schemas))
  }
  return Promise.all(groups)
}

async function toModule(name: string, schemas: readonly JsonSchema[]): Promise<ReadyModule> {
  const checks = new Map<string, string>()
  for (const schema of schemas) {
    const check = await writeCheck(schema)
    // A check that cannot be serialized is compiled at run time, like those of other tools.
    if (check !== undefined) checks.set(digestOfText(schema), check)
  }
  const entries = [...checks].map(([key, check]) => `${JSON.stringify(key)}: ${check},\n`)
  return { name, digests: [...checks.keys()], code: `export const checks = {\n${entries.join('')}}\n` }
}
