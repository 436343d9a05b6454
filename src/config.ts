import { readFile } from 'node:fs/promises'
import { ConfigError } from './config-error.ts'
import { configSchema } from './config-schema.ts'
import type { Infer, InferInput } from './contract/infer.ts'
import { compileSchema } from './contract/schema/compile-schema.ts'
import { parseJson } from './contract/schema/parse-json.ts'
import type { Problem } from './contract/tool-error.ts'

export type Config = Infer<typeof configSchema>

/** What a person writes: what has a default may be left out. */
export type ConfigSource = InferInput<typeof configSchema>

export async function readConfig(path: string): Promise<Config> {
  const bytes = await readFile(path).catch((cause) => {
    throw new ConfigError(`The config ${path} cannot be read (${cause.code}). Check the path after --config.`, {
      cause,
    })
  })
  const parsed = parseJson(bytes, { maxBytes: 1_048_576, maxDepth: 32 })
  if (!parsed.ok) throw new ConfigError(`The config ${path} is not valid: ${parsed.message}`)
  return checkConfig(parsed.value as ConfigSource, path)
}

/** A misspelt setting must not be passed over: what it was to forbid would be allowed. */
export async function checkConfig(value: ConfigSource, source: string): Promise<Config> {
  const config = structuredClone(value)
  const problems = (await compileSchema(configSchema, { useDefaults: true })).validate(config)
  if (problems.length > 0) throw new ConfigError(`The config ${source} is not valid: ${problems.map(toText).join(' ')}`)
  return config as Config
}

function toText({ pointer, message }: Problem): string {
  return message.includes(pointer) ? message : `${pointer}: ${message}`
}
