import { configSchema } from '../src/app/config/config-schema.ts'
import type { JsonSchema } from '../src/contract/json.ts'
import { digestOfText } from '../src/contract/schema/load-validator.ts'
import { splitSchema } from '../src/contract/schema/split-schema.ts'
import { writeCheck } from '../src/contract/schema/write-check.ts'
import { toolFailureSchema } from '../src/runtime/pipeline/check-returned.ts'
import { toolsets } from '../src/toolsets/index.ts'

/** The code of a module of prebuilt checks, and their schemas. */
export interface ReadyModule {
  readonly name: string
  readonly digests: readonly string[]
  readonly code: string
}

/** The checks of smaller settings share a file: opening one costs more than reading some tens of kilobytes. */
const maxSharedSchema = 1500

/** Compiles all built-in schemas for `ready-checks.ts`: one module per toolset and per large
 * setting of the config, so that a call loads only what it needs. */
export async function writeReadyChecks(): Promise<ReadyModule[]> {
  const { whole, parts } = splitSchema(configSchema)
  const [small, large] = [true, false].map((isSmall) =>
    Object.entries(parts).filter(([, part]) => JSON.stringify(part).length < maxSharedSchema === isSmall),
  )
  const groups = [
    toModule('config', [whole, ...small!.map(([, part]) => part)]),
    toModule('failure', [toolFailureSchema]),
    ...large!.map(([name, part]) => toModule(`config-${name}`, [part])),
  ]
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
