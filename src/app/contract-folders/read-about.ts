import { realpathSync, statSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { toolsetNameForm } from '../../contract/forms.ts'
import { compileSchema } from '../../contract/schema/compile-schema.ts'
import { parseJson } from '../../contract/schema/parse-json.ts'
import type { ToolsetProvision } from '../../contract/tool.ts'
import { ConfigError, renameFolder } from '../config/config-error.ts'

/** What a contract folder declares about its toolset. */
export interface About extends Pick<ToolsetProvision, 'settings' | 'testSettings' | 'confined'> {
  readonly name: string
  readonly description: string
}

/** The name of a contract folder: from its `toolset.json`, else that of the folder, which need not exist. */
export async function readAbout(folder: string): Promise<About> {
  const own = await readToolsetFile(join(folder, 'toolset.json'))
  const name = own.name ?? toToolsetName(basename(toRealPath(folder)))
  if (!toolsetNameForm.test(name)) throw new ConfigError(`The name of the folder ${folder} is not valid for a toolset. ${renameFolder}`) // biome-ignore format: one line
  return { description: `The tools of ${name}.`, ...own, name }
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
    testSettings: { type: 'object' },
    confined: { type: 'array', items: { type: 'string' } },
  },
} as const

async function readToolsetFile(path: string): Promise<Partial<About>> {
  if (!statSync(path, { throwIfNoEntry: false })?.isFile()) return {}
  const parsed = parseJson(await readFile(path), { maxBytes: 65_536, maxDepth: 64 })
  const [problem] = parsed.ok ? (await compileSchema(schema)).validate(parsed.value) : [parsed]
  if (!parsed.ok || problem) throw new ConfigError(`${path} is not valid: ${problem?.message}`)
  const { $schema, ...about } = parsed.value as Partial<About> & { readonly $schema?: string }
  return about
}

function toRealPath(folder: string): string {
  try {
    return realpathSync.native(folder)
  } catch {
    return resolve(folder)
  }
}
