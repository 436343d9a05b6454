import { realpathSync, statSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { toolsetNameForm } from '../../contract/forms.ts'
import type { JsonSchema } from '../../contract/json.ts'
import { compileSchema } from '../../contract/schema/compile-schema.ts'
import { parseJson } from '../../contract/schema/parse-json.ts'
import { ConfigError, renameFolder } from '../config/config-error.ts'

/** Name and description of the toolset of a contract folder. */
export interface About {
  readonly name: string
  readonly description: string
  /** JSON Schema of its settings. */
  readonly settings?: JsonSchema
}

/** The name of a contract folder: from its `toolset.json`, else that of the folder, which need not exist. */
export async function readAbout(folder: string): Promise<About> {
  const own = await readToolsetFile(join(folder, 'toolset.json'))
  const name = own.name ?? toToolsetName(basename(toRealPath(folder)))
  if (!toolsetNameForm.test(name)) throw new ConfigError(`The name of the folder ${folder} is not valid for a toolset. ${renameFolder}`) // biome-ignore format: one line
  const { description = `The tools of ${name}.`, settings } = own
  return { name, description, ...(settings && { settings }) }
}

/** `My tools.d` becomes `My-tools-d`. */
function toToolsetName(folder: string): string {
  return folder
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^A-Za-z0-9_-]+/g, '-')
    .replaceAll(/^[^A-Za-z]+|-+$/g, '')
    .slice(0, 64)
}

const schema = {
  type: 'object',
  additionalProperties: false,
  properties: {
    $schema: { type: 'string' },
    name: { type: 'string', pattern: toolsetNameForm.source },
    description: { type: 'string', minLength: 1 },
    settings: { type: 'object', required: ['type'], properties: { type: { const: 'object' } } },
  },
} as const

async function readToolsetFile(path: string): Promise<Partial<About>> {
  if (!statSync(path, { throwIfNoEntry: false })?.isFile()) return {}
  const parsed = parseJson(await readFile(path), { maxBytes: 65_536, maxDepth: 64 })
  const [problem] = parsed.ok ? (await compileSchema(schema)).validate(parsed.value) : [parsed]
  if (!parsed.ok || problem) throw new ConfigError(`${path} is not valid: ${problem?.message}`)
  return parsed.value as Partial<About>
}

function toRealPath(folder: string): string {
  try {
    return realpathSync.native(folder)
  } catch {
    return resolve(folder)
  }
}
