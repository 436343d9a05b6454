import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import type { JsonObject, JsonValue } from '../../contract/json.ts'
import { parseJson } from '../../contract/schema/parse-json.ts'
import type { RunPackage } from './package-of.ts'

interface Places {
  /** The folder that the server runs in. */
  readonly cwd: string
  readonly environment: { readonly [name: string]: string | undefined }
}

/**
 * The integrity of an exact version of an npm package, as npm recorded it when it installed what will run: in the folder
 * that the server runs in, else where npx keeps it. Undefined where neither has it.
 */
export function findIntegrity(found: RunPackage, { cwd, environment }: Places): string | undefined {
  if (!found.package.startsWith('npm:') || found.version === undefined) return undefined
  const cache = environment.npm_config_cache || join(homedir(), '.npm')
  const folder = hash('sha512', found.spec).slice(0, 16)
  const lists = [join(cwd, 'node_modules', '.package-lock.json'), join(cache, '_npx', folder, 'package-lock.json')]
  for (const list of lists) {
    const integrity = readIntegrity(readIfThere(list), found)
    if (integrity !== undefined) return integrity
  }
  return undefined
}

function readIfThere(path: string): Uint8Array | undefined {
  try {
    return readFileSync(path)
  } catch {
    return undefined
  }
}

function readIntegrity(bytes: Uint8Array | undefined, { package: name, version }: RunPackage): string | undefined {
  const parsed = bytes && parseJson(bytes, { maxBytes: 16_777_216, maxDepth: 32 })
  if (!parsed?.ok) return undefined
  const packages = fieldOf(parsed.value, 'packages')
  const installed = packages && fieldOf(packages, `node_modules/${name.slice('npm:'.length)}`)
  const integrity = installed && fieldOf(installed, 'version') === version ? fieldOf(installed, 'integrity') : undefined
  return typeof integrity === 'string' ? integrity : undefined
}

function fieldOf(value: JsonValue, name: string): JsonValue | undefined {
  const isObject = typeof value === 'object' && value !== null && Object.hasOwn(value, name)
  return isObject ? (value as JsonObject)[name] : undefined
}
